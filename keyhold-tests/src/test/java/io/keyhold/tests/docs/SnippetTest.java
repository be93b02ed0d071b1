package io.keyhold.tests.docs;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.modules.KeyholdModule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every block of Java in the documentation compiles, as {@link Snippet} describes; the first one of the README also runs. */
@Tag("full")
final class SnippetTest {

    private static final Path ROOT = KeyholdModule.root();
    private static final String SERVER_IN_README = "redis://localhost:6379";
    private static final int FIRST_LINES = 15;

    @TempDir
    Path classes = Path.of("");

    @TestFactory
    Stream<DynamicTest> everySnippetCompiles() {
        return Page.all(ROOT).stream()
                .flatMap(page -> page.java().stream().map(block -> Snippet.of(page.name(), block)))
                .map(snippet -> dynamicTest(
                        snippet.place(), () -> assertThat(compiled(snippet)).isEmpty()));
    }

    @Test
    void readmeShowsCodeAtOnce() {
        assertThat(firstOfReadme().line())
                .as("first line of code in the README")
                .isLessThanOrEqualTo(FIRST_LINES);
    }

    @Test
    void readmesFirstSnippetRuns() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            Snippet written = Snippet.of("README.md", firstOfReadme());
            assertThat(written.source()).contains(SERVER_IN_README);
            // With long time-outs, because a busy machine may stall for longer than applications wait.
            Snippet snippet = written.with(SERVER_IN_README, withLongTimeouts(server.uri()));
            assertThat(compiled(snippet)).isEmpty();

            new SnippetCompiler(classes).run(snippet);

            assertThat(console.ask("KEYS", "*"))
                    .as("what is left on the server: the fencing counters of the slots, and no lock")
                    .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                    .isNotEmpty()
                    .allMatch(key -> key.endsWith(":kh:fence"));
        }
    }

    private List<String> compiled(Snippet snippet) throws IOException {
        return new SnippetCompiler(classes).compile(snippet);
    }

    private static Page.Block firstOfReadme() {
        List<Page.Block> blocks = new Page(ROOT, ROOT.resolve("README.md")).java();
        assertThat(blocks).as("blocks of Java in the README").isNotEmpty();
        return blocks.get(0);
    }
}
