package io.keyhold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Stops a process and lets it go on, with SIGSTOP and SIGCONT. */
final class ProcessFreezer {
    private static final long POLL_MILLIS = 1;

    private ProcessFreezer() {}

    /** Returns when the process no longer runs. Outside Linux, which tells so, when the signal has been sent. */
    static void freeze(ServerProcess process) {
        signal("STOP", process.pid());
        try {
            // The signal is handed to each thread, which may be in the middle of a reply.
            while (process.isAlive() && !isFrozen(process.pid())) {
                process.awaitEnd(POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedRedisException("interrupted while pausing the server", e);
        }
    }

    static void thaw(ServerProcess process) {
        signal("CONT", process.pid());
    }

    private static boolean isFrozen(long pid) {
        Path threads = Path.of("/proc", Long.toString(pid), "task");
        if (!Files.isDirectory(threads)) {
            return true;
        }
        try (Stream<Path> each = Files.list(threads)) {
            List<Path> all = each.toList();
            for (Path thread : all) {
                if (!isStopped(thread.resolve("stat"))) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new EmbeddedRedisException("cannot tell whether process " + pid + " is stopped: " + e, e);
        }
    }

    /** The state follows the program's name, which is in brackets and may itself contain brackets and spaces. */
    private static boolean isStopped(Path stat) throws IOException {
        try {
            String line = Files.readString(stat);
            return line.startsWith("T", line.lastIndexOf(')') + 2);
        } catch (NoSuchFileException threadHasEnded) {
            return true;
        }
    }

    /** Through the shell's own kill: small images have a shell but no kill program. */
    private static void signal(String name, long pid) {
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + pid)
                    .redirectErrorStream(true)
                    .start();
            String complaint = new String(kill.getInputStream().readAllBytes(), System.getProperty("native.encoding"));
            int status = ServerProcess.awaitEndUninterruptibly(kill);
            if (status != 0) {
                throw new EmbeddedRedisException("kill -" + name + " " + pid + " failed: " + complaint.strip());
            }
        } catch (IOException e) {
            throw new EmbeddedRedisException("cannot send SIG" + name + " to process " + pid + ": " + e, e);
        }
    }
}
