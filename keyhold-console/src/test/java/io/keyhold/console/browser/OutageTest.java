package io.keyhold.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Lease;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the page says while the server or the console is away, and that it goes on afterwards. */
@Tag("full")
class OutageTest {

    private static Browser browser;

    @BeforeAll
    static void start() {
        browser = Browser.start();
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    @Test
    void stoppedServerIsReportedUntilItIsBack() {
        try (Scene scene = Scene.start()) {
            scene.hold("before", "outage:1");
            Scene.Console console = scene.console();
            console.signIn(browser);
            browser.awaitText(".locks", "outage:1");
            scene.redis().kill();
            browser.awaitText("#unreachable", "Redis does not answer");
            browser.awaitText("#unreachable", "What you see is old");
            assertThat(browser.text("#status")).contains("Redis unreachable");
            browser.screenshot("unreachable");
            scene.redis().restart();
            browser.await("#status.live");
            browser.awaitGone("#unreachable");
            try (Lease after = scene.hold("after", "outage:2")) {
                browser.awaitText(".locks", "outage:2");
                assertThat(after.isHeld()).isTrue();
            }
        }
    }

    @Test
    void stoppedConsoleIsReportedAndItsSuccessorNeedsANewAddress() {
        try (Scene scene = Scene.start()) {
            Scene.Console console = scene.console();
            int port = console.port();
            console.signIn(browser);
            console.close();
            browser.awaitText("#offline", "Disconnected");
            browser.awaitText("#offline", "What you see is old");
            browser.screenshot("disconnected");
            Scene.Console successor = scene.console(port, false);
            // The page connects by itself, and learns that its cookie is that of the console before.
            browser.awaitText("#signed-out", "no longer valid");
            successor.signIn(browser);
            assertThat(browser.address()).isEqualTo(successor.at("#/locks").replace("#/locks", ""));
        }
    }

    @Test
    void failedRequestsAreReportedUntilTheySucceed() {
        try (Scene scene = Scene.start()) {
            scene.console().signIn(browser);
            browser.awaitText("#empty", "No lock is held");
            browser.offline(true);
            browser.awaitText("#outdated", "Not updated since");
            browser.offline(false);
            browser.awaitGone("#outdated");
        } finally {
            browser.offline(false);
        }
    }

    @Test
    void usedAddressSaysWhereTheNextOneIs() {
        try (Scene scene = Scene.start();
                Browser other = Browser.start()) {
            Scene.Console console = scene.console();
            String address = console.server().url();
            browser.open(address);
            browser.await("#status.live");
            other.open(address);
            other.awaitText("body", "used already");
            other.open(console.at(""));
            other.awaitText("#signed-out", "no longer valid");
            other.screenshot("signed-out");
        }
    }
}
