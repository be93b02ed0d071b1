package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Holds a lock while the launcher runs a command under it. Reports to the launcher several times a second how long the command may
 * continue, and a loss at once. Releases the lock when the launcher reports that the command has ended.
 *
 * <p>The launcher stops the command when this process is killed or stopped; this process stops it when the launcher is. So either
 * may fail, and the command is gone before the lease is.
 */
final class LeaseHolder {

    private static final int REPORTS_IN_A_LEASE = 40;
    private static final long LONGEST_PAUSE_MILLIS = 200;
    private static final Duration GRACE_AFTER_LOSS = Duration.ofMillis(100);

    /** Signals the group $0; TERM, and KILL after $1 polls of 50 ms, unless it ends before. */
    private static final String STOP = "kill -s TERM -- -$0; kill -s CONT -- -$0; i=0;"
            + " while [ $i -lt $1 ] && kill -0 -- -$0; do sleep 0.05; i=$((i + 1)); done; kill -s KILL -- -$0";

    private static final int POLL_MILLIS = 50;

    private final LauncherChannel launcher;
    private final Keyhold keyhold;
    private final Lease lease;
    private final CompletableFuture<LeaseLost> lost;
    private final RunTimes times;
    private final boolean kills;
    private boolean stopped;

    /** Creates a holder; if it does not kill, it only reports a loss. */
    LeaseHolder(LauncherChannel launcher, Keyhold keyhold, Lease lease, RunTimes times, boolean kills) {
        this.launcher = launcher;
        this.keyhold = keyhold;
        this.lease = lease;
        this.lost = lease.lost().toCompletableFuture();
        this.times = times;
        this.kills = kills;
    }

    /** Lets the launcher start the command. Returns when the command has ended and the lock is released. */
    void holdUntilCommandEnds() throws InterruptedException {
        Thread reporter = new Thread(this::report, "keyhold-reporter");
        reporter.setDaemon(true);
        reporter.start();
        if (awaitEnd() == LauncherChannel.End.LAUNCHER_ENDED) {
            endWithoutLauncher();
        }
        release();
    }

    private long pause() {
        return Math.min(times.lease().dividedBy(REPORTS_IN_A_LEASE).toMillis(), LONGEST_PAUSE_MILLIS);
    }

    /** Runs in its own thread, because the pipe of a stopped launcher becomes full. */
    private void report() {
        try {
            while (!launcher.end().isDone()) {
                Duration remaining = lease.remaining();
                if (!remaining.isZero() || lease.isHeld()) {
                    launcher.send("valid", Long.toString(times.work(remaining).toMillis()));
                }
                try {
                    launcher.send(
                            "lost", lost.get(pause(), TimeUnit.MILLISECONDS).detail());
                    return;
                } catch (TimeoutException held) {
                    // Report again.
                }
            }
        } catch (InterruptedException | ExecutionException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end of the command or the launcher; stops the command if the launcher should have and does not. */
    private LauncherChannel.End awaitEnd() throws InterruptedException {
        long overdue = 0;
        while (true) {
            Optional<LauncherChannel.End> end = launcher.awaitEnd(pause());
            if (end.isPresent()) {
                return end.get();
            }
            boolean isLost = lost.isDone();
            if (!isLost && !times.work(lease.remaining()).isZero()) {
                overdue = 0;
            } else if (overdue == 0) {
                overdue = System.nanoTime();
            } else if (System.nanoTime() - overdue > times.margin().toNanos() / 2 && !launcher.isStopping()) {
                stop(isLost ? GRACE_AFTER_LOSS : times.grace());
            }
        }
    }

    /** The launcher was killed. Stops the command, or waits for its end if it may continue without the lock. */
    private void endWithoutLauncher() throws InterruptedException {
        if (kills) {
            Diagnostics.print("the launcher was killed: stopping the command");
            stop(times.grace());
        }
        long command = launcher.command().orElse(0);
        while (ProcessHandle.of(command).map(ProcessHandle::isAlive).orElse(false)) {
            Thread.sleep(LONGEST_PAUSE_MILLIS);
        }
    }

    private void stop(Duration grace) throws InterruptedException {
        if (!kills || stopped || launcher.command().isEmpty()) {
            return;
        }
        stopped = true;
        String group = Long.toString(launcher.command().getAsLong());
        try {
            new ProcessBuilder("sh", "-c", STOP, group, Long.toString(grace.toMillis() / POLL_MILLIS))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            Diagnostics.error("cannot stop the command: " + e.getMessage(), e);
        }
    }

    private void release() {
        try {
            if (lease.release()) {
                launcher.send("released", "");
            } else {
                launcher.send("lost", "it was no longer held when the command ended");
            }
        } catch (StoreUnavailableException | StoreRefusedException e) {
            launcher.send("unreleased", String.valueOf(e.getMessage()));
        }
        keyhold.close();
    }
}
