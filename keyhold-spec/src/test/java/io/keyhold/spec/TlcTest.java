package io.keyhold.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The output of TLC for a small model is parsed correctly: otherwise a model that does not hold could pass. */
@Timeout(600)
final class TlcTest {

    private static final String COUNTER = """
            ---- MODULE Counter ----
            EXTENDS Naturals
            VARIABLE x
            Init == x = 0
            Next == x' = (x + 1) % 3
            Spec == Init /\\ [][Next]_x
            Small == x < 3
            TooSmall == x < 2
            ReachesThree == <>(x = 3)
            Grows == [][x' > x]_x
            ====
            """;

    @TempDir
    Path directory = Path.of("");

    @Test
    void modelThatHolds() throws Exception {
        assertThat(verdict("INVARIANT Small").text()).isEqualTo("No error has been found.");
    }

    @Test
    void violatedInvariantHasTrace() throws Exception {
        Tlc.Verdict verdict = verdict("INVARIANTS Small TooSmall");
        assertThat(verdict.text()).isEqualTo("Invariant TooSmall is violated.");
        assertThat(verdict.toString()).contains("State 3: <Next");
    }

    @Test
    void stepThatIsNotAllowed() throws Exception {
        assertThat(verdict("PROPERTY Grows").text()).isEqualTo("Action property Grows is violated.");
    }

    @Test
    void promiseThatIsNotKept() throws Exception {
        assertThat(verdict("PROPERTY ReachesThree").text()).isEqualTo("Temporal properties were violated.");
    }

    @Test
    void wrongConfigurationIsNoOutcome() throws Exception {
        assertThat(verdict("INVARIANT Unheard").text())
                .isNotEqualTo("No error has been found.")
                .doesNotContain("violated");
    }

    @Test
    void incompleteOutputIsNoOutcome() {
        assertThat(Tlc.Verdict.of("Starting...\n").text()).isEqualTo("TLC came to no end");
    }

    @Test
    void configurationNamesExpectedOutcome() throws Exception {
        Path configuration = Files.writeString(directory.resolve("Counter-x.cfg"), "SPECIFICATION Spec\n");
        assertThatThrownBy(() -> Model.of(configuration)).hasMessageContaining("Counter-x.cfg needs a line");
    }

    private Tlc.Verdict verdict(String checks) throws IOException, InterruptedException {
        Files.writeString(directory.resolve("Counter.tla"), COUNTER);
        Path configuration = Files.writeString(
                directory.resolve("Counter-x.cfg"), "\\* Expected: nothing\nSPECIFICATION Spec\n" + checks + "\n");
        return new Tlc(directory.resolve("tlc")).check(Model.of(configuration));
    }
}
