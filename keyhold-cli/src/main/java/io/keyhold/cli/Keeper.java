package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.StoreUnavailableException;
import java.time.Duration;

/**
 * Keeps a lock while the launcher runs a command under it: tells the launcher after every renewal how long the command may
 * go on, and of a loss at once. It is told to end by the signal TERM, so its end stands in a shutdown hook.
 */
final class Keeper {

    private static final int LOOKS_IN_A_LEASE = 40;

    private final Front front;
    private final Keyhold keyhold;
    private final Lease lease;
    private final RunTimes times;

    Keeper(Front front, Keyhold keyhold, Lease lease, RunTimes times) {
        this.front = front;
        this.keyhold = keyhold;
        this.lease = lease;
        this.times = times;
    }

    /** Lets the launcher start the command. Returns when the launcher is gone, and the command with it. */
    void keep() throws InterruptedException {
        lease.lost().thenAccept(loss -> front.say("lost", loss.detail()));
        Thread end = new Thread(this::release, "keyhold-release");
        // Before the command starts: it may have ended, and the signal been sent, a moment later.
        Runtime.getRuntime().addShutdownHook(end);
        front.say("valid", RunTimes.seconds(times.work(lease.remaining())));
        long pause = times.lease().dividedBy(LOOKS_IN_A_LEASE).toMillis();
        Duration before = lease.remaining();
        while (front.isAlive()) {
            Thread.sleep(Math.min(pause, 200));
            Duration now = lease.remaining();
            if (now.compareTo(before) > 0) {
                front.say("valid", RunTimes.seconds(times.work(now)));
            }
            before = now;
        }
        if (isStillOurs(end)) {
            endWithoutFront();
        } else {
            end.join();
        }
    }

    /** Whether the launcher was killed, and has not ended in the usual way, which the hook deals with. */
    private static boolean isStillOurs(Thread end) {
        try {
            return Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException shutdownIsUnderWay) {
            return false;
        }
    }

    /** The launcher was killed. Its watcher lives, ends the command, and ends: then nobody reads these words any more. */
    private void endWithoutFront() throws InterruptedException {
        front.say("gone", "the launcher was killed");
        while (front.say("", "")) {
            Thread.sleep(20);
        }
        release();
    }

    private void release() {
        try {
            if (lease.release()) {
                front.say("released", "");
            } else {
                front.say("lost", "it was not ours any more when the command ended");
            }
        } catch (StoreUnavailableException e) {
            front.say("unreleased", String.valueOf(e.getMessage()));
        }
        keyhold.close();
    }
}
