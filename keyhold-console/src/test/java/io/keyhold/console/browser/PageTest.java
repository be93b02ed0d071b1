package io.keyhold.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** One browser, one server and one console for all tests of a class. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PageTest {

    final Browser browser = Browser.start();
    final Scene scene = Scene.start();
    final Scene.Console console = scene.console();

    @AfterAll
    void stop() {
        scene.close();
        browser.close();
    }

    /** A breach of the content security policy, a file that is missing or an error of a script is logged by the browser. */
    @AfterEach
    void nothingFailed() {
        assertThat(browser.errors()).isEmpty();
    }

    void open(String hash) {
        browser.open("about:blank");
        browser.open(console.at(hash));
    }
}
