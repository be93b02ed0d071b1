package io.keyhold.spec;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The algorithms hold, and fail as soon as a part of them is left out: so every part is there for a reason, and the models see it. */
final class ModelTest {

    private static final Path SPEC = Path.of(requireNonNull(
                    System.getProperty("keyhold.root"), "the system property keyhold.root, which the build sets"))
            .resolve("spec");

    private final Tlc tlc = new Tlc(Path.of("target", "tlc"));

    static List<Model> quick() {
        return Model.in(SPEC).stream().filter(model -> !model.nightly()).toList();
    }

    static List<Model> nightly() {
        return Model.in(SPEC).stream().filter(Model::nightly).toList();
    }

    @Tag("full")
    @ParameterizedTest(name = "{0}")
    @MethodSource("quick")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void tlcOutcomeIsExpected(Model model) throws Exception {
        check(model);
    }

    @Tag("nightly")
    @ParameterizedTest(name = "{0}")
    @MethodSource("nightly")
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void tlcOutcomeOfLargerScopesIsExpected(Model model) throws Exception {
        check(model);
    }

    @Test
    void everyModelHasCounterexamples() {
        assertThat(quick().stream().collect(groupingBy(Model::module)))
                .isNotEmpty()
                .allSatisfy((module, models) -> assertThat(models)
                        .as(module.toString())
                        .anyMatch(Model::holds)
                        .anyMatch(model -> !model.holds()));
    }

    private void check(Model model) throws IOException, InterruptedException {
        Tlc.Verdict verdict = tlc.check(model);
        assertThat(verdict.text()).as(() -> verdict.toString()).isEqualTo(model.expected());
    }
}
