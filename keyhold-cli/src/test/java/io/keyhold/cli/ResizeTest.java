package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many permits a semaphore has, for those who say another number. */
@EndToEnd
final class ResizeTest {

    private final EmbeddedRedis server = EmbeddedRedis.start();

    @TempDir
    private Path home = Path.of("");

    private Launcher keyhold = Launcher.in(home);

    @BeforeEach
    void semaphoreOfThree() {
        keyhold = Launcher.in(home).on(server.uri());
        assertThat(keyhold.run("acquire", "gpu", "--of", "3", "--permits", "3", "--lease", "1h")
                        .exitCode())
                .isZero();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void anotherNumberIsRefused() {
        Launcher.Result refused = new Launcher.Result(
                ExitCode.USAGE,
                "",
                "keyhold: 'gpu' has 3 permits, not 4: say --of 3, or --resize to make it 4 for everybody\n");
        assertThat(keyhold.run("run", "gpu", "--of", "4", "--", "true")).isEqualTo(refused);
        assertThat(keyhold.run("acquire", "gpu", "--of", "4", "--permits", "4")).isEqualTo(refused);
    }

    @Test
    void resizeMakesItTheNumberOfAll() {
        assertThat(keyhold.run("run", "gpu", "--of", "4", "--resize", "--no-wait", "--", "true"))
                .isEqualTo(new Launcher.Result(0, "", ""));
        assertThat(keyhold.run("acquire", "gpu", "--of", "4", "--no-wait", "--lease", "1h")
                        .exitCode())
                .isZero();
        assertThat(keyhold.run("show", "gpu").output()).contains("semaphore, 0 of 4 permits free");
        assertThat(keyhold.run("acquire", "gpu", "--of", "5", "--resize", "--lease", "1h")
                        .exitCode())
                .isZero();
        assertThat(keyhold.run("run", "gpu", "--of", "3", "--no-wait", "--", "true")
                        .exitCode())
                .as("who says the first number goes on")
                .isEqualTo(ExitCode.BUSY);
    }

    @Test
    void resizeNeedsTheNumber() {
        assertThat(keyhold.run("run", "gpu", "--resize", "--", "true"))
                .isEqualTo(new Launcher.Result(
                        ExitCode.USAGE, "", "keyhold: --resize needs --of M, the number of permits there are to be\n"));
    }

    @Test
    void resizeOfWhatIsNoSemaphore() {
        assertThat(keyhold.run("acquire", "x", "--lease", "1h").exitCode()).isZero();
        assertThat(keyhold.run("acquire", "x", "--of", "4", "--resize"))
                .isEqualTo(new Launcher.Result(
                        ExitCode.USAGE,
                        "",
                        "keyhold: cannot resize semaphore 'x': the key is in use as a lock; choose another key\n"));
    }
}
