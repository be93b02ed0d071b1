package io.keyhold.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.console.ConsoleApi;
import io.keyhold.console.ConsoleServer;
import io.keyhold.console.ConsoleSoak;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ten minutes of {@link ConsoleSoak}, seen through the page in a browser. */
@Tag("nightly")
final class ConsoleSoakTest {

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void pageTellsTheTruthWithinTwoSeconds() throws IOException, InterruptedException {
        assertThat(ConsoleSoak.run(Long.getLong("keyhold.console.soak.minutes", 10), BrowserPage::new))
                .isEmpty();
    }

    private static final class BrowserPage implements ConsoleSoak.Page {

        private final Browser browser = Browser.start();
        private final ConsoleServer server;

        BrowserPage(ConsoleApi api) {
            try {
                server = ConsoleServer.start(api, 0, url -> {});
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            browser.open(server.url());
            browser.await("#status.live");
            showVictim();
        }

        private void visit(String view) {
            browser.open("http://127.0.0.1:" + server.port() + "/#/" + view);
        }

        private void showVictim() {
            visit("locks?filter=" + ConsoleSoak.VICTIM);
        }

        @Override
        public boolean shows(String key) {
            return browser.text(".locks").contains(key);
        }

        @Override
        public boolean isLive() {
            return browser.count("#status.live") > 0;
        }

        @Override
        public long megabytes() {
            visit("contention");
            browser.awaitText("h1", "Contention");
            visit("key?key=soak:1");
            browser.awaitText("h1", "soak:1");
            showVictim();
            browser.awaitText("h1", "Locks now");
            return browser.heapMegabytes();
        }

        @Override
        public void close() {
            browser.close();
            server.close();
        }
    }
}
