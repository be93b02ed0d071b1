package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;

/**
 * Holds a lock while the launcher runs a command under it. Reports to the launcher several times a second how long the command may
 * continue, and a loss at once. Releases the lock when the launcher reports that the command has ended. No signal releases it:
 * stopping a service or a machine sends one to all processes, and the command may still run.
 */
final class LeaseHolder {

    private static final int REPORTS_IN_A_LEASE = 40;
    private static final long LONGEST_PAUSE_MILLIS = 200;

    private final LauncherChannel launcher;
    private final Keyhold keyhold;
    private final Lease lease;
    private final RunTimes times;

    LeaseHolder(LauncherChannel launcher, Keyhold keyhold, Lease lease, RunTimes times) {
        this.launcher = launcher;
        this.keyhold = keyhold;
        this.lease = lease;
        this.times = times;
    }

    /** Lets the launcher start the command. Returns when the command has ended and the lock is released. */
    void holdUntilCommandEnds() throws InterruptedException {
        lease.lost().thenAccept(loss -> launcher.send("lost", loss.detail()));
        boolean ended = false;
        try {
            ended = reportUntilMessage() == LauncherChannel.Message.COMMAND_ENDED;
        } finally {
            if (!ended) {
                awaitWatcher();
            }
            release();
        }
    }

    private LauncherChannel.Message reportUntilMessage() throws InterruptedException {
        long pause = Math.min(times.lease().dividedBy(REPORTS_IN_A_LEASE).toMillis(), LONGEST_PAUSE_MILLIS);
        while (true) {
            Duration remaining = lease.remaining();
            if (!remaining.isZero() || lease.isHeld()) {
                launcher.send("valid", RunTimes.seconds(times.work(remaining)));
            }
            Optional<LauncherChannel.Message> message = launcher.await(pause);
            if (message.isPresent()) {
                return message.get();
            }
        }
    }

    /** The launcher was killed. Its watcher still runs: it kills the command and ends, which breaks the pipe. */
    private void awaitWatcher() throws InterruptedException {
        launcher.send("gone", "the launcher was killed");
        while (launcher.send("", "")) {
            Thread.sleep(20);
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
