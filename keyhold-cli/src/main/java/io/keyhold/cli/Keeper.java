package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;

/**
 * Keeps a lock while the launcher runs a command under it: tells the launcher all the time how long the command may go on,
 * and of a loss at once. The launcher says when the command has ended. No signal releases the lock, because whoever sends one
 * to all processes (the end of a service, of a machine) may not have ended the command yet.
 */
final class Keeper {

    private static final int LOOKS_IN_A_LEASE = 40;
    private static final long LONGEST_PAUSE_MILLIS = 200;

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

    /** Lets the launcher start the command. Returns when the command has ended, and the lock is released. */
    void keep() throws InterruptedException {
        lease.lost().thenAccept(loss -> front.say("lost", loss.detail()));
        boolean ended = false;
        try {
            ended = tellUntilTold() == Front.Word.COMMAND_ENDED;
        } finally {
            if (!ended) {
                endWithoutFront();
            }
            release();
        }
    }

    private Front.Word tellUntilTold() throws InterruptedException {
        long pause = Math.min(times.lease().dividedBy(LOOKS_IN_A_LEASE).toMillis(), LONGEST_PAUSE_MILLIS);
        while (true) {
            Duration certain = lease.remaining();
            if (!certain.isZero() || lease.isHeld()) {
                front.say("valid", RunTimes.seconds(times.work(certain)));
            }
            Optional<Front.Word> word = front.hear(pause);
            if (word.isPresent()) {
                return word.get();
            }
        }
    }

    /** The launcher was killed. Its watcher lives, ends the command, and ends: then nobody reads these words any more. */
    private void endWithoutFront() throws InterruptedException {
        front.say("gone", "the launcher was killed");
        while (front.say("", "")) {
            Thread.sleep(20);
        }
    }

    private void release() {
        try {
            if (lease.release()) {
                front.say("released", "");
            } else {
                front.say("lost", "it was not ours any more when the command ended");
            }
        } catch (StoreUnavailableException | StoreRefusedException e) {
            front.say("unreleased", String.valueOf(e.getMessage()));
        }
        keyhold.close();
    }
}
