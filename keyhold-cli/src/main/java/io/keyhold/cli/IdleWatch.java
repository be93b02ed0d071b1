package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends the user's own server some time after its last use. A JVM that sleeps would be large for that, so a shell does the
 * sleeping, and calls this program back when the time seems to have come: idle-watch.sh.
 */
final class IdleWatch {

    private static final Duration IDLE = Duration.ofMinutes(10);
    private static final int SLICES = 5;
    private static final String START =
            "hearing='env --default-signal=INT,TERM'; $hearing true 2>/dev/null || hearing=;"
                    + " set -m; trap '' HUP; $hearing bash \"$0\" \"$@\" </dev/null >/dev/null 2>&1 &";

    private IdleWatch() {}

    /**
     * In a process group of its own and deaf to the end of a terminal. TERM and INT end it, as the end of a service or of a
     * session needs: the keeper of a lock is deaf to them, and what a shell was told to ignore when it was started it ignores
     * for ever; env undoes that, where it can (that of GNU).
     */
    static void start(ServerFiles files) throws IOException {
        long idle = idle().toSeconds();
        long slice = Math.max(1, idle / SLICES);
        Path script = files.folder().resolve("idle-watch.sh");
        Files.writeString(script, Resources.text("idle-watch.sh"), UTF_8);
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                START,
                script.toString(),
                files.folder().toString(),
                Long.toString(slice),
                Long.toString(Math.max(1, idle / slice))));
        command.addAll(thisProgram());
        command.addAll(List.of("embedded", "stop", "--if-idle"));
        Process process = new ProcessBuilder(command)
                .directory(files.folder().toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
    }

    /** Ten minutes; tests are less patient. */
    private static Duration idle() {
        String chosen = System.getenv("KEYHOLD_EMBEDDED_IDLE");
        return chosen == null || chosen.isEmpty() ? IDLE : Durations.parse(chosen);
    }

    /** How this program is run, in the least memory. */
    private static List<String> thisProgram() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:disable",
                "-cp",
                Path.of(System.getProperty("java.class.path")).toAbsolutePath().toString(),
                Main.class.getName());
    }
}
