package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Many concurrent calls. */
@Tag("full")
@EndToEnd
@Isolated("fifty processes at once could make other tests lose their locks")
final class RunContentionTest {

    @TempDir
    private Path home = Path.of("");

    @Test
    void fiftyProcessesIncrementOnceEach() throws IOException {
        Path file = Files.writeString(home.resolve("counter"), "0\n");
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher.Result result = Launcher.in(home)
                    .on(server.uri())
                    .with("FILE", file.toString())
                    .bash("for i in {1..50}; do \"$KEYHOLD\" run counter -- sh -c 'n=$(cat \"$FILE\"); sleep 0.01;"
                            + " echo $((n + 1)) >\"$FILE\"' & calls+=($!); done;"
                            + " for call in \"${calls[@]}\"; do wait $call || echo failed; done");
            assertThat(result).isEqualTo(new Launcher.Result(0, "", ""));
            assertThat(file).hasContent("50\n");
        }
    }

    @Test
    void threePermitsAdmitAtMostThree() throws IOException {
        Path inside = Files.createDirectory(home.resolve("inside"));
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher.Result result = Launcher.in(home)
                    .on(server.uri())
                    .with("INSIDE", inside.toString())
                    .bash(
                            "for i in {1..12}; do \"$KEYHOLD\" run gpu --of 3 -- sh -c 'mkdir \"$INSIDE/$$\"; ls \"$INSIDE\" |"
                                    + " wc -l; sleep 0.2; rmdir \"$INSIDE/$$\"' & done; wait");
            assertThat(result.error()).isEmpty();
            assertThat(result.output().lines().map(line -> Integer.parseInt(line.strip())))
                    .hasSize(12)
                    .allMatch(count -> count <= 3);
        }
    }
}
