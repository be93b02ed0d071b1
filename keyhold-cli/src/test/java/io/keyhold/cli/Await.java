package io.keyhold.cli;

import java.util.function.BooleanSupplier;

/** Waits for what another process does. A test that waits in vain is ended by its timeout. */
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

    /** Until the process is gone. */
    static void end(long pid) {
        until(() -> !isAlive(pid));
    }

    static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
}
