package io.keyhold.cli;

import io.keyhold.Keyhold;
import java.util.concurrent.CompletableFuture;

/** Withdraws a pending request when the process that made it, or its launcher, ends. */
final class AbortOnExit {

    private final CompletableFuture<Void> closed;
    private volatile boolean acquired;

    private AbortOnExit(LauncherChannel launcher, Keyhold keyhold) {
        closed = launcher.end().thenAccept(end -> {
            if (end == LauncherChannel.End.LAUNCHER_ENDED && !acquired) {
                keyhold.close();
            }
        });
    }

    /** When a signal ends this process, withdraws its requests and releases a lock that was not handed off. */
    static void ofProcess(Keyhold keyhold) {
        Runtime.getRuntime().addShutdownHook(new Thread(keyhold::close, "keyhold-abort"));
    }

    /** Closes the client when the launcher ends before {@link #acquired}. */
    static AbortOnExit ofLauncher(LauncherChannel launcher, Keyhold keyhold) {
        return new AbortOnExit(launcher, keyhold);
    }

    /** From now on the launcher's end closes nothing. */
    void acquired() {
        acquired = true;
    }

    /** Waits until the request is withdrawn; the process must not end before. */
    void awaitClosed() {
        closed.join();
    }
}
