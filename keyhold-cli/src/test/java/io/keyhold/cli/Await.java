package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Waits for another process. The test's timeout ends a wait without result. */
final class Await {

    private Await() {}

    static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting", e);
            }
        }
    }

    /** Waits until the process has ended. */
    static void end(long pid) {
        until(() -> !isAlive(pid));
    }

    static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false) && !isZombie(pid);
    }

    /** Whether the process has ended but its parent has not collected its status, which may never happen in a container. */
    private static boolean isZombie(long pid) {
        try {
            String status = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), ISO_8859_1);
            // After the name, which may contain anything.
            return status.startsWith(") Z ", status.lastIndexOf(')'));
        } catch (IOException goneOrNotLinux) {
            return false;
        }
    }
}
