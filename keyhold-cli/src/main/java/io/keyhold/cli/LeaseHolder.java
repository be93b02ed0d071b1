package io.keyhold.cli;

import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

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
    private final String keys;
    private final Lease lease;
    private final CompletableFuture<LeaseLost> lost;
    private final RunTimes times;
    private final boolean kills;
    private final long pauseMillis;
    private final AtomicBoolean warned = new AtomicBoolean();
    private boolean stopped;

    /** Creates a holder; if it does not kill, it only warns of a loss. */
    LeaseHolder(LauncherChannel launcher, List<String> keys, Lease lease, RunTimes times, boolean kills) {
        this.launcher = launcher;
        this.keys = String.join(" ", keys);
        this.lease = lease;
        this.lost = lease.lost().toCompletableFuture();
        this.times = times;
        this.kills = kills;
        this.pauseMillis = Math.min(times.lease().dividedBy(REPORTS_IN_A_LEASE).toMillis(), LONGEST_PAUSE_MILLIS);
    }

    /** Lets the launcher start the command. Returns when the command has ended and the lock is released. */
    void holdUntilCommandEnds() throws InterruptedException {
        Thread reporter = new Thread(this::report, "keyhold-reporter");
        reporter.setDaemon(true);
        reporter.start();
        awaitEnd();
        boolean launcherEnded = launcher.end().join() == LauncherChannel.End.LAUNCHER_ENDED;
        boolean stops = launcherEnded && kills && launcher.command() != 0;
        if (stops) {
            stop(times.grace());
        }
        if (launcherEnded) {
            // With --on-lost warn, the command may continue without the launcher.
            while (ProcessHandle.of(launcher.command())
                    .map(ProcessHandle::isAlive)
                    .orElse(false)) {
                Thread.sleep(LONGEST_PAUSE_MILLIS);
            }
        }
        release();
        if (stops) {
            // At the end: standard error may be a full pipe.
            Diagnostics.print("the launcher was killed, so the command was stopped");
        }
    }

    /** Runs in its own thread, because the pipe of a stopped launcher becomes full. */
    private void report() {
        try {
            while (!launcher.end().isDone()) {
                Duration work = times.work(lease.remaining());
                if (!work.isZero()) {
                    launcher.send("valid " + work.toMillis());
                } else if (lease.isHeld()
                        && launcher.command() == 0) { // Nothing remains of a lease that is lost either.
                    requestStop("too little of the lease on " + keys + " was left to start the command", times.grace());
                    return;
                }
                if (completesSoon(lost)) {
                    String when = launcher.command() == 0 ? " before the command started: " : ": ";
                    requestStop("lost the lock on " + keys + when + lost.join().detail(), GRACE_AFTER_LOSS);
                    return;
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean completesSoon(CompletableFuture<?> event) throws InterruptedException {
        try {
            event.get(pauseMillis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException pending) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Warns of the loss, and lets the launcher stop the command. Warns first: the launcher kills this process when it is done. If
     * standard error is a full pipe, {@link #awaitEnd} stops the command.
     */
    private void requestStop(String why, Duration grace) {
        warn(why);
        launcher.send("stop " + RunTimes.seconds(grace));
    }

    /** A lock is lost once, however often that is noticed. The launcher has warned if it says that it stops the command. */
    private void warn(String why) {
        if (!launcher.isStopping() && !warned.getAndSet(true)) {
            Diagnostics.print(why);
        }
    }

    /** Waits for the end of the command or the launcher; stops the command if the launcher should have and does not. */
    private void awaitEnd() throws InterruptedException {
        long overdue = 0;
        while (!completesSoon(launcher.end())) {
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

    private void stop(Duration grace) throws InterruptedException {
        if (!kills || stopped || launcher.command() == 0) {
            return;
        }
        stopped = true;
        String group = Long.toString(launcher.command());
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
        boolean held = true;
        try {
            held = lease.release();
            if (!held) {
                warn("lost the lock on " + keys
                        + " before the command ended: it was no longer held when the command ended");
            }
        } catch (StoreUnavailableException | StoreRefusedException e) {
            Diagnostics.print(
                    "could not release the lock on " + keys + ", which ends with its lease: " + e.getMessage());
        }
        launcher.send(held || !kills ? "released" : "lost");
    }
}
