package io.keyhold.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Lease;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** What the page does: force release, the keyboard, names that contain script, very many keys. */
class ActionsTest extends PageTest {

    @BeforeAll
    void start() {
        console.signIn(browser);
    }

    @Test
    void forceReleaseNeedsTheKeyAndAReason() throws Exception {
        Lease stuck = scene.hold("build-agent-7", "deploy:shop");
        CompletableFuture<Lease> next = scene.await("build-agent-9", "deploy:shop");
        open("#/key?key=deploy%3Ashop");
        browser.awaitText("#queue", "build-agent-9");
        browser.click("#release");
        browser.awaitText("#release-dialog", "build-agent-7");
        assertThat(browser.text("#release-dialog")).contains("It is not stopped", "Next in the queue: build-agent-9");
        assertThat(browser.focused()).isEqualTo("typed-key");
        browser.type("#typed-key", "deploy:store");
        browser.type("#reason", "the agent was shut down");
        assertThat(confirmable()).isFalse();
        browser.type("#typed-key", Keys.chord(Keys.CONTROL, "a") + "deploy:shop");
        browser.await("the button to be enabled", page -> confirmable());
        browser.screenshot("release");
        browser.click("#release-confirm");
        browser.awaitText("#release-dialog[open] #release-result", "taken from its holder");
        next.get(1, TimeUnit.MINUTES).close();
        assertThat(scene.audit()).anyMatch(line -> line.contains("'deploy:shop'") && line.contains("released"));
        browser.press(Keys.ESCAPE);
        browser.awaitGone("dialog");
        assertThat(stuck.key()).isEqualTo("deploy:shop");
    }

    private boolean confirmable() {
        return browser.find("#release-confirm").orElseThrow().isEnabled();
    }

    @Test
    void forceReleaseLeavesAnotherHoldAlone() throws Exception {
        Lease seen = scene.hold("seen", "force:changed");
        open("#/key?key=force%3Achanged");
        browser.awaitText("#holders", "seen");
        browser.click("#release");
        browser.await("#release-dialog[open]");
        seen.close();
        try (Lease newer = scene.hold("newer", "force:changed")) {
            browser.awaitText("#release-changed", "This hold has ended meanwhile");
            browser.type("#typed-key", "force:changed");
            browser.type("#reason", "test");
            browser.click("#release-confirm");
            browser.awaitText("#release-dialog[open] #release-result", "nothing was released");
            assertThat(newer.isHeld()).isTrue();
            browser.press(Keys.ESCAPE);
            browser.awaitGone("dialog");
            browser.awaitText("#holders", "newer");
        }
    }

    @Test
    void forceReleaseSaysHowToAllowIt() {
        try (Lease held = scene.hold("kept", "force:forbidden");
                Scene.Console readOnly = scene.console(0, false)) {
            readOnly.signIn(browser);
            browser.open(readOnly.at("#/key?key=force%3Aforbidden"));
            browser.click("#release");
            browser.awaitText("#release-dialog", "--allow-release");
            assertThat(browser.find("#release-confirm")).isEmpty();
            assertThat(held.isHeld()).isTrue();
            browser.open("about:blank");
        }
    }

    @Test
    void keyboardIsEnough() {
        try (Lease one = scene.hold("keyboard", "keys:1");
                Lease two = scene.hold("keyboard", "keys:2")) {
            open("#/locks?sort=key");
            browser.await(".locks [title='keys:2']");
            browser.press("/");
            assertThat(browser.focused()).isEqualTo("filter");
            browser.press("keys:");
            browser.await("both keys", page -> page.count(".locks tbody tr") == 2);
            browser.press(Keys.ESCAPE);
            browser.press("j");
            browser.press("j");
            browser.await("the focus on the second row", page -> page.focused().equals("keys:2"));
            browser.press(Keys.ARROW_UP);
            browser.await("the focus on the first row", page -> page.focused().equals("keys:1"));
            Object outline = browser.script("return getComputedStyle(document.activeElement).outlineStyle");
            assertThat(outline).isEqualTo("solid");
            browser.press(Keys.ENTER);
            browser.awaitText("h1", "keys:1");
            browser.await("the button", page -> page.find("#release").isPresent());
            browser.press("?");
            browser.await("#help[open]");
            for (int i = 0; i < 5; i++) {
                browser.press(Keys.TAB);
                assertThat(browser.script("return !document.activeElement || document.activeElement === document.body"
                                + " || document.querySelector('dialog').contains(document.activeElement)"))
                        .as("the focus stays in the dialog")
                        .isEqualTo(true);
            }
            browser.press(Keys.ESCAPE);
            browser.awaitGone("dialog");
            browser.press("r");
            browser.await("#release-dialog[open]");
            browser.press(Keys.ESCAPE);
            browser.awaitGone("dialog");
            browser.press("2");
            browser.awaitText("h1", "Contention");
            browser.press("3");
            browser.awaitText("h1", "Doctor");
            browser.press("1");
            browser.awaitText("h1", "Locks now");
            assertThat(one.isHeld() && two.isHeld()).isTrue();
        }
    }

    @Test
    void scriptInNamesIsShownAsText() throws Exception {
        String key = "<img src=x onerror=\"document.title='run'\">:<script>alert(1)</script>";
        String holder = "<b onmouseover=alert(2)>holder</b>";
        String waiter = "\"><svg onload=alert(3)>";
        LockOptions ownToken = LockOptions.builder().token(holder).build();
        try (Lease lease = scene.client("first").lock(key, ownToken).acquire()) {
            RawLocks.enqueue(scene.redis().port(), key, waiter);
            open("#/locks?filter=onerror");
            browser.awaitText(".locks .c-key", key);
            browser.awaitText(".locks .c-holder", holder);
            browser.click(".locks [data-row]");
            browser.awaitText("h1", key);
            browser.awaitText("#queue", waiter);
            browser.awaitText("#timeline", holder);
            browser.click("#release");
            browser.awaitText("#release-dialog[open]", holder);
            browser.press(Keys.ESCAPE);
            open("#/contention");
            browser.awaitText("#heat", key);
            assertThat(browser.count("main img, main script, main svg, main b[onmouseover]"))
                    .isZero();
            assertThat(browser.script("return document.title")).isEqualTo("Contention · Keyhold console");
            assertThat(lease.isHeld()).isTrue();
            RawLocks.deleteQueue(scene.redis().port(), key);
        }
    }

    @Test
    void invisibleCharactersAreWrittenOut() {
        try (Lease lease = scene.hold("odd", "invoice:\u202etxt.exe\u200b\n")) {
            open("#/locks?filter=invoice");
            browser.awaitText(".locks .c-key", "invoice:⟨U+202E⟩txt.exe⟨U+200B⟩⟨U+000A⟩");
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void manyKeysAreShownInPages() {
        try (Scene crowded = Scene.start()) {
            RawLocks.create(crowded.redis().port(), 10_000, Duration.ofHours(1));
            Scene.Console other = crowded.console();
            other.signIn(browser);
            browser.awaitText(".summary", "10,000 keys");
            browser.await("a page of rows", page -> page.count(".locks tbody tr") == 100);
            browser.awaitText(".pager", "1–100 of 10,000");
            String first = browser.text(".locks tbody .key").lines().findFirst().orElseThrow();
            browser.press("]");
            browser.awaitText(".pager", "101–200 of 10,000");
            assertThat(browser.count(".locks tbody tr")).isEqualTo(100);
            assertThat(browser.text(".locks tbody .key").lines()).doesNotContain(first);
            browser.type("#filter", "many:77:");
            browser.awaitText(".summary", "100 of 10,000 keys");
            browser.screenshot("many");
            browser.open(other.at("#/locks?page=5000"));
            browser.awaitText(".pager", "9,901–10,000 of 10,000");
            browser.open("about:blank");
        }
    }
}
