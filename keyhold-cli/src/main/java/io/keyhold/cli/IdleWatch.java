package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/**
 * Stops the private Redis server some time after its last use. A sleeping JVM would need much memory, so a shell script sleeps
 * (idle-watch.sh) and calls this program when the server seems to be idle.
 */
final class IdleWatch {

    private static final Duration IDLE = Duration.ofMinutes(10);
    private static final String START = "reset='env --default-signal=INT,TERM'; $reset true 2>/dev/null || reset=;"
            + " set -m; trap '' HUP; $reset bash \"$0\" \"$@\" </dev/null >/dev/null 2>&1 &";

    private IdleWatch() {}

    /**
     * Starts the script in its own process group; it ignores HUP, so it survives the terminal. TERM and INT end it, as stopping a
     * service or a session requires. The lease holder ignores these signals, and a shell cannot reset a signal that was ignored when
     * it started; GNU env can.
     */
    static void start(LocalRedisFiles files, Duration idle) throws IOException {
        Path script = files.folder().resolve("idle-watch.sh");
        Files.writeString(script, Main.resource("idle-watch.sh"), UTF_8);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path jar = Path.of(System.getProperty("keyhold.jar", System.getProperty("java.class.path")));
        List<String> command = List.of(
                "bash",
                "-c",
                START,
                script.toString(),
                files.folder().toString(),
                Long.toString(Math.max(1, idle.toSeconds())),
                java,
                // Little memory.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:disable",
                "-cp",
                jar.toAbsolutePath().toString(),
                Main.class.getName(),
                "embedded",
                "stop",
                "--if-idle");
        Process process = new ProcessBuilder(command)
                .directory(files.folder().toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
    }

    /**
     * Returns for how long the server may be idle.
     *
     * @throws CliException if the variable with another time is wrong
     */
    static Duration idle() {
        String chosen = System.getenv("KEYHOLD_EMBEDDED_IDLE");
        try {
            return chosen == null || chosen.isEmpty() ? IDLE : new Durations().convert(chosen);
        } catch (TypeConversionException e) {
            throw CliException.usage("KEYHOLD_EMBEDDED_IDLE: " + e.getMessage());
        }
    }
}
