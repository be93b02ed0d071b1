package io.keyhold.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.tests.modules.KeyholdModule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Links inside the documentation have a target. */
final class LinkTest {

    private static final Path ROOT = KeyholdModule.root();

    @Test
    void everyLinkLeadsToFileAndHeading() {
        assertThat(Page.all(ROOT).stream()
                        .flatMap(page -> page.links().stream().flatMap(link -> page.fault(link).stream())))
                .isEmpty();
    }

    @Test
    void readmeLeadsToOtherPages() {
        assertThat(new Page(ROOT, ROOT.resolve("README.md")).links()).isNotEmpty();
    }
}
