package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The number of permits of a semaphore, and its change. */
@Tag("full")
@EndToEnd
final class ResizeTest {

    private final EmbeddedRedis server = EmbeddedRedis.start();

    @TempDir
    private Path home = Path.of("");

    private Launcher keyhold = Launcher.in(home);

    @BeforeEach
    void createSemaphoreOfThree() {
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
    void otherNumberOfPermitsIsRefused() {
        Launcher.Result refused = new Launcher.Result(
                ExitCode.USAGE,
                "",
                "keyhold: semaphore 'gpu' has 3 permits but --of is 4; use --of 3, or --resize to change it for all clients\n");
        assertThat(keyhold.run("run", "gpu", "--of", "4", "--", "true")).isEqualTo(refused);
        assertThat(keyhold.run("acquire", "gpu", "--of", "4", "--permits", "4")).isEqualTo(refused);
    }

    @Test
    void resizeAppliesToAllClients() {
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
                .as("a client with the first number continues to work")
                .isEqualTo(ExitCode.BUSY);
    }

    @Test
    void resizeNeedsOf() {
        assertThat(keyhold.run("run", "gpu", "--resize", "--", "true"))
                .isEqualTo(new Launcher.Result(
                        ExitCode.USAGE, "", "keyhold: --resize needs --of M, the new number of permits\n"));
    }

    @Test
    void resizeOfALockIsRefused() {
        assertThat(keyhold.run("acquire", "x", "--lease", "1h").exitCode()).isZero();
        assertThat(keyhold.run("acquire", "x", "--of", "4", "--resize"))
                .isEqualTo(new Launcher.Result(
                        ExitCode.USAGE,
                        "",
                        "keyhold: cannot resize semaphore 'x': the key is in use as a lock; choose another key\n"));
    }
}
