package io.keyhold.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run of the server, which ends with this JVM at the latest.
 *
 * <p>A shutdown hook does not run when the JVM is killed with {@code kill -9}, and a server that outlives its tests keeps
 * its port and its memory. So the server is started through a shell which first leaves a guard behind and then becomes
 * the server. The guard reads from a pipe that this JVM holds open and never writes to. The read ends only when the pipe
 * does: because the JVM has ended in any way, or because the server is and the JVM has noticed. Then the guard's
 * signal finds no process, as a pid is not reused that soon.
 *
 * <p>The shell becomes the server, instead of watching over a child, so that the process known to this JVM is the server
 * itself: its pid is right, its end is an event and its exit status is its own. The server gets neither the pipe nor
 * anything else that the guard holds, and its output goes to a file, which needs no reader.
 */
class ServerProcess {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final String GUARD = """
            exec 3<&0
            (read -r line <&3; kill -9 $$) >/dev/null 2>&1 &
            exec "$0" "$@" 3<&- </dev/null
            """;

    private static final int LAST_LINES = 20;

    private final Process process;
    private final Path log;

    ServerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static ServerProcess start(Path executable, List<String> arguments, ServerDirectory directory) {
        // A container without a shell still gets its server, which then depends on the shutdown hook alone.
        List<String> guard = Files.isExecutable(SHELL) ? List.of(SHELL.toString(), "-c", GUARD) : List.of();
        return new ServerProcess(run(guard, executable, arguments, directory), directory.log());
    }

    /** Runs the server, by another command in front of it if that is not empty. */
    static Process run(List<String> by, Path executable, List<String> arguments, ServerDirectory directory) {
        List<String> command = new ArrayList<>(by);
        command.addAll(List.of(executable.toString(), directory.configuration().toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.log().toFile());
        try {
            return builder.start();
        } catch (IOException e) {
            throw new EmbeddedRedisException("cannot run " + executable + ": " + e.getMessage(), e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns as soon as the process has ended, at the latest after the given time. */
    boolean awaitEnd(long time, TimeUnit unit) throws InterruptedException {
        return process.waitFor(time, unit);
    }

    int exitStatus() {
        return process.exitValue();
    }

    /** Ends the process, even a stopped one, and waits until the operating system has taken it away. */
    void kill() {
        process.destroyForcibly();
        // Nothing can refuse this signal. An interrupt must not end a clean-up halfway.
        awaitEndUninterruptibly(process);
    }

    /** Not by {@link Process#onExit()}: its future needs a thread of the common pool, which tests may have used up. */
    static int awaitEndUninterruptibly(Process process) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    String lastOutput() {
        try {
            String output = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
            List<String> lines = output.lines().toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException e) {
            return "(output not readable: " + e + ")";
        }
    }
}
