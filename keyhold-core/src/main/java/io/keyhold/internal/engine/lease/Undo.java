package io.keyhold.internal.engine.lease;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.ConcurrencyLimit;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Releases, in the background, locks that nobody here means to hold, and gives up places in queues: after an acquire or a
 * release whose outcome is unknown, and after a grant that came too late. It repeats until the server has answered or the
 * lease must have ended; a place in a queue has no end of its own, so that it is given up until there is an answer.
 *
 * <p>One answer of "not held" is not enough. The release travels on another connection than the acquire that it undoes, and
 * may overtake it: a server that was paused reads both when it wakes, in any order. So it is sent at least three times
 * over a second before "not held" is believed; also after one that freed something, because a request that was repeated may arrive
 * twice. A token is used for one acquisition only, so that a release too many
 * hurts nobody.
 *
 * <p>At most two are under way at a time. During an outage there may be thousands, each waiting for a timeout, and they must
 * not stand in the way of renewals.
 */
public final class Undo {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final int AT_A_TIME = 2;
    private static final int ENOUGH_DENIALS = 3;
    private static final long[] PAUSES_MILLIS = {0, 100, 1_000, 5_000};

    private final LockStore store;
    private final Scheduler scheduler;
    private final KeyholdClock clock;
    private final ConcurrencyLimit pace = new ConcurrencyLimit(AT_A_TIME);

    public Undo(LockStore store, Scheduler scheduler, KeyholdClock clock) {
        this.store = store;
        this.scheduler = scheduler;
        this.clock = clock;
    }

    private static final class Task {
        final Subject subject;
        final ReleaseRequest request;
        final Validity until;
        /** Told of a first answer of "not held", if the lock must have been lost then. */
        final Consumer<HoldReply.NotHeld> loss;

        int attempts;
        int denials;
        /** Whether no release of this task can have been executed so far. */
        boolean unanswered = true;

        Task(Subject subject, ReleaseRequest request, Validity until, Consumer<HoldReply.NotHeld> loss) {
            this.subject = subject;
            this.request = request;
            this.until = until;
            this.loss = loss;
        }
    }

    /** Releases what this token may hold; gives up when {@code until} is over, because then the lease is too. */
    public void release(Subject subject, ReleaseRequest request, Validity until) {
        release(subject, request, until, none -> {});
    }

    /** The same for a lease that nothing has released so far, and that was lost if its token holds nothing within its time. */
    void release(Subject subject, ReleaseRequest request, Validity until, Consumer<HoldReply.NotHeld> loss) {
        later(new Task(subject, request, until, loss));
    }

    private void later(Task task) {
        long pause = PAUSES_MILLIS[Math.min(task.attempts, PAUSES_MILLIS.length - 1)];
        scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(pause), () -> {
            task.attempts++;
            pace.submit(() -> store.release(task.request, CallMode.ASYNCHRONOUS))
                    .whenComplete((reply, failure) -> answered(task, reply, failure));
        });
    }

    private void answered(Task task, @Nullable HoldReply reply, @Nullable Throwable failure) {
        if (reply instanceof HoldReply.Done) {
            LOG.log(Level.DEBUG, "{0} is free again after a request of unknown outcome", task.subject);
        }
        if (reply instanceof HoldReply.NotHeld not && task.unanswered && task.until.remainingNanos(clock) > 0) {
            task.loss.accept(not);
        }
        // One whose outcome is unknown may have been executed: after that, "not held" tells nothing.
        task.unanswered &= failure != null && !StoreFailure.isOutcomeUnknown(Stages.unwrapped(failure));
        if (reply instanceof HoldReply.NotHeld && ++task.denials >= ENOUGH_DENIALS) {
            LOG.log(Level.DEBUG, "{0} was not held after a request of unknown outcome", task.subject);
        } else if (task.until.remainingNanos(clock) > 0 || mayStandInQueue(task, failure)) {
            later(task);
        } else if (failure != null) {
            LOG.log(
                    Level.DEBUG,
                    "{0} could not be released, but its lease is over: {1}",
                    task.subject,
                    Objects.toString(failure.getMessage()));
        }
    }

    /** A place has no end of its own. But a server that refuses will go on to, and forgets the queue when nobody asks. */
    private static boolean mayStandInQueue(Task task, @Nullable Throwable failure) {
        return task.request.place().isPresent()
                && (failure == null || !StoreFailure.isRefusal(Stages.unwrapped(failure)));
    }
}
