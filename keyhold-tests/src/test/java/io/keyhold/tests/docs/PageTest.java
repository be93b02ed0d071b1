package io.keyhold.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests of the documentation find what is wrong with a page. */
final class PageTest {

    @TempDir
    Path root = Path.of("");

    @Test
    void brokenSnippetIsReportedWithLine() throws IOException {
        Page page = page("""
                # Title

                ```java
                import java.util.concurrent.atomic.AtomicInteger;

                AtomicInteger count = new AtomicInteger();
                lock.run(() -> count.incrementAndGet());
                int wrong = lock.acquire();
                ```
                """);
        assertThat(faults(page)).singleElement().asString().startsWith("page.md:8: incompatible types");
    }

    @Test
    void brokenImportIsReportedWithLine() throws IOException {
        Page page = page("""
                ```java
                // A comment.
                import io.keyhold.Nothing;
                charge();
                ```
                """);
        assertThat(faults(page)).singleElement().asString().startsWith("page.md:3: cannot find symbol");
    }

    @Test
    void brokenClassIsReportedWithLine() throws IOException {
        Page page = page("""
                ```java
                package app;

                import io.keyhold.Keyhold;

                class Main {
                    Keyhold keyhold = Keyhold.nowhere();
                }
                ```
                """);
        assertThat(faults(page)).singleElement().asString().startsWith("page.md:7: cannot find symbol");
    }

    @Test
    void goodSnippetsCompile() throws IOException {
        Page page = page("""
                ```java
                try (Lease lease = lock.acquire()) {       // held from here
                    ledger.write(entry, lease.fencingToken());
                }
                k.lock("a", LockOptions.builder().lease(ofSeconds(10)).build()).run(() -> charge());
                ```

                1. In a list:

                   ```java
                   record Invoice(String number) {}
                   keyhold.lock(new Invoice("42").number()).run(this::charge);
                   ```

                ```java
                package app;

                /** A whole file. */
                @Deprecated
                public final class Main {
                    public static void main(String[] args) {}
                }
                ```

                ```sh
                not java
                ```
                """);
        assertThat(page.java()).hasSize(3);
        assertThat(faults(page)).isEmpty();
    }

    @Test
    void brokenLinksAreReportedWithLine() throws IOException {
        Files.writeString(root.resolve("other.md"), "# One heading\n\n## One `heading`: more\n");
        Page page = page("""
                # Page
                [good](other.md), [good](other.md#one-heading), [good](other.md#one-heading-more), [good](#page)
                [other site](https://example.org/none), `[code](none.md)`
                [bad](none.md)
                [bad](other.md#none) and [bad][reference]
                <img src="none.svg">

                [reference]: docs/none.md

                ```
                [not a link](none.md)
                ```
                """);
        assertThat(page.links().stream().flatMap(link -> page.fault(link).stream()))
                .containsExactly(
                        "page.md:4: the link none.md leads to no file",
                        "page.md:5: the link other.md#none leads to no heading",
                        "page.md:6: the link none.svg leads to no file",
                        "page.md:8: the link docs/none.md leads to no file");
    }

    private Page page(String text) throws IOException {
        return new Page(root, Files.writeString(root.resolve("page.md"), text));
    }

    private List<String> faults(Page page) throws IOException {
        SnippetCompiler compiler = new SnippetCompiler(root);
        List<String> faults = new ArrayList<>();
        for (Page.Block block : page.java()) {
            faults.addAll(compiler.compile(Snippet.of(page.name(), block)));
        }
        return faults;
    }
}
