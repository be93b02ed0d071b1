package io.keyhold.internal.store;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends compensating releases to one store in the background: after an acquire or a release whose outcome is unknown, and after a
 * grant that is not wanted. Each is repeated until the store has replied or the lease must have ended. An entry in a queue has no end
 * of its own, so that it is withdrawn until there is a reply. A token is used for one acquisition only, so that a release too many
 * is harmless.
 *
 * <p><b>When a reply ends a task.</b> If the outcome of the request is unknown, neither "not held" nor "done" does. The release travels on
 * another connection and may overtake the request: a server that was paused reads both when it wakes, in any order. And a request
 * that was repeated on a new connection may be executed twice, before the release and after it ({@code spec/Queue-release-believes-yes.cfg}
 * is the counterexample). So the release is sent until three replies, over at least a second, said "not held". If the request was sent once
 * and its reply has arrived, nothing of it is in flight, and the first reply ends the task. That is the usual case of a quorum, where each
 * lost vote costs a release.
 *
 * <p><b>A server that is down</b> may leave thousands of tasks. It gets one of them as a probe from time to time, and the others when it
 * replies; never more at once than the limit, because they must not delay renewals. The tasks of the other servers of the store do not wait for
 * that: each has a {@link Lane} of its own.
 */
public final class BackgroundReleaser {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final int ENOUGH_NOT_HELD = 3;
    private static final long[] PAUSES_MILLIS = {0, 100, 1_000, 5_000};

    private final Function<ReleaseRequest, CompletionStage<HoldReply>> release;
    private final KeyholdClock clock;
    private final Scheduler scheduler;
    private final Function<String, ?> servers;
    private final int mostInFlight;
    private final int mostTasks;
    private final Map<Hold, Task> tasks = new HashMap<>();
    /** By server. One that has nothing to do is forgotten. */
    private final Map<Object, Lane> lanes = new HashMap<>();

    /** The tasks for one server. */
    private static final class Lane {
        final Object server;
        /** How many tasks there are: paused, ready or in flight. */
        int tasks;

        final Deque<Task> ready = new ArrayDeque<>();
        int inFlight;
        /** Whether a thread is in {@link #sendReady}. */
        boolean sending;
        /** Whether the last request failed. Then a timer sends the next. */
        boolean failing;

        int failuresInARow;

        Lane(Object server) {
            this.server = server;
        }

        @Nullable
        Task take() {
            Task task = ready.poll();
            inFlight += task == null ? 0 : 1;
            return task;
        }

        /** Notes how a request ended. Returns after how many failures a timer has to send the next; 0 if none has to. */
        int onReply(boolean failed) {
            inFlight--;
            failing = failed;
            if (!failed) {
                failuresInARow = 0;
            }
            // What was in flight together fails together: the last of it sets the timer.
            return failed && inFlight == 0 ? ++failuresInARow : 0;
        }
    }

    /** The end of a lease. */
    @FunctionalInterface
    public interface Expiry {

        /** Returns how long it is until then; 0 or less if it is over. */
        long remainingNanos(KeyholdClock clock);
    }

    /** Receives the findings of a task. */
    public interface Listener {

        /** No release of the task can have been executed before: the hold was lost before its expiry. */
        default void lost(HoldReply.NotHeld reply) {}

        /** The hold has ended, perhaps long ago: called for each reply of "not held", and when the task ends with the lease. */
        default void ended() {}
    }

    /** A caller may use a token of its own for several keys. */
    private record Hold(Claim claim, String token) {}

    private static final class Task {
        final Object subject;
        final Lane lane;
        final long addedAtNanos;
        final CompletableFuture<Void> freed = new CompletableFuture<>();
        final List<Listener> listeners = new CopyOnWriteArrayList<>();
        ReleaseRequest request;
        Expiry expiry;
        /** Whether something may be in flight that takes the hold again. */
        boolean outcomeUnknown;

        /** Its pause, if it is in one: a timer that ends may be the one of an earlier pause. */
        @Nullable
        Object pause;

        int replies;
        int notHeld;
        /** Whether a release of this task may have been executed: after that, "not held" is no loss. */
        boolean maybeExecuted;

        Task(Object subject, Lane lane, long nowNanos, ReleaseRequest request, Expiry expiry, boolean outcomeUnknown) {
            this.subject = subject;
            this.lane = lane;
            this.addedAtNanos = nowNanos;
            this.request = request;
            this.expiry = expiry;
            this.outcomeUnknown = outcomeUnknown;
        }

        /** A rest began when it was asked for: what is left of it counts, however late the store can be reached. */
        ReleaseRequest request(long nowNanos) {
            long left = TimeUnit.MILLISECONDS.toNanos(request.restMillis()) - (nowNanos - addedAtNanos);
            return request.rests()
                    ? request.resting(Math.max(0, TimeUnit.NANOSECONDS.toMillis(left + 999_999)))
                    : request;
        }

        /** Does the work of both. A release that is in flight may have been too early for the other: no reply counts so far. */
        void join(ReleaseRequest other, Expiry otherExpiry, KeyholdClock clock) {
            request = request.and(other);
            expiry = otherExpiry.remainingNanos(clock) > expiry.remainingNanos(clock) ? otherExpiry : expiry;
            outcomeUnknown = true;
            replies = 0;
            notHeld = 0;
        }
    }

    /**
     * Creates a releaser for one store.
     *
     * @param release sends a release to the store
     * @param servers returns the server that has a key now: what one does not reply to does not delay the others
     * @param mostInFlight how many releases may be in flight to one server
     * @param mostTasks how many tasks may be open; what is too much is left to expire with its lease
     */
    public BackgroundReleaser(
            Function<ReleaseRequest, CompletionStage<HoldReply>> release,
            Function<String, ?> servers,
            KeyholdClock clock,
            Scheduler scheduler,
            int mostInFlight,
            int mostTasks) {
        this.release = release;
        this.servers = servers;
        this.clock = clock;
        this.scheduler = scheduler;
        this.mostInFlight = mostInFlight;
        this.mostTasks = mostTasks;
    }

    /**
     * Releases what this token may hold by a request of unknown outcome.
     *
     * @param subject what is released, for the log
     * @param expiry when the hold ends by itself
     */
    public void release(Object subject, ReleaseRequest request, Expiry expiry) {
        release(subject, request, expiry, new Listener() {});
    }

    /** Releases as above, and tells the listener what it finds out. */
    public void release(Object subject, ReleaseRequest request, Expiry expiry, Listener listener) {
        add(subject, request, expiry, listener, true);
    }

    /** Releases what was granted to this token, as the reply of the only request for it has told. */
    public void releaseGrant(Object subject, ReleaseRequest request, Expiry expiry) {
        add(subject, request, expiry, new Listener() {}, false);
    }

    private void add(Object subject, ReleaseRequest request, Expiry expiry, Listener listener, boolean outcomeUnknown) {
        Hold hold = new Hold(request.claim(), request.token());
        Object server = servers.apply(request.claim().key());
        Task task;
        synchronized (this) {
            task = tasks.get(hold);
            if (task != null) {
                task.join(request, expiry, clock);
                if (task.pause != null) {
                    makeReady(task);
                }
            } else if (tasks.size() < mostTasks) {
                Lane lane = lanes.computeIfAbsent(server, Lane::new);
                lane.tasks++;
                task = new Task(subject, lane, clock.monotonicNanos(), request, expiry, outcomeUnknown);
                tasks.put(hold, task);
                if (outcomeUnknown) {
                    pause(task); // Off the stack of the reply that is missing, which has more to do.
                } else {
                    makeReady(task);
                }
            } else {
                return;
            }
            task.listeners.add(listener);
        }
        sendReady(task.lane);
    }

    /** Returns what is done when the holds are gone that are being released now, and have not ended with their lease. */
    public synchronized CompletableFuture<Void> unfinished() {
        return CompletableFuture.allOf(tasks.values().stream()
                .filter(this::mayBeHeld)
                .map(task -> task.freed)
                .toArray(CompletableFuture[]::new));
    }

    private void remove(Task task) {
        tasks.remove(new Hold(task.request.claim(), task.request.token()));
        task.lane.tasks--;
    }

    /** Called when a task may have been the last one of its lane. While that is failing, its timer will end, and call this again. */
    private void forgetIfIdle(Lane lane) {
        if (lane.tasks == 0 && !lane.failing) {
            lanes.remove(lane.server, lane);
        }
    }

    /** Sends on one thread at a time, which looks again after each: a reply may come at once, and call this. */
    private void sendReady(Lane lane) {
        synchronized (this) {
            if (lane.sending) {
                return;
            }
            lane.sending = true;
        }
        for (Task next = next(lane); next != null; next = next(lane)) {
            send(next);
        }
    }

    private synchronized @Nullable Task next(Lane lane) {
        Task next = lane.failing || lane.inFlight >= mostInFlight ? null : lane.take();
        lane.sending = next != null;
        return next;
    }

    private void send(Task task) {
        ReleaseRequest request;
        synchronized (this) {
            request = task.request(clock.monotonicNanos());
        }
        Stages.flat(() -> release.apply(request)).whenComplete((reply, failure) -> onReply(task, reply, failure));
    }

    /** Decides and forgets in one step: a release that is added meanwhile must not rely on a task that is over. */
    private void onReply(Task task, @Nullable HoldReply reply, @Nullable Throwable thrown) {
        Throwable failure = thrown == null ? null : Stages.unwrapped(thrown);
        boolean isLoss;
        boolean isOver;
        Lane lane = task.lane;
        synchronized (this) {
            isLoss = reply instanceof HoldReply.NotHeld && !task.maybeExecuted && mayBeHeld(task);
            task.maybeExecuted |= failure == null || StoreFailure.isOutcomeUnknown(failure);
            task.notHeld += reply instanceof HoldReply.NotHeld ? 1 : 0;
            isOver = isOver(task, reply, failure);
            int failures = lane.onReply(failure != null && !isServing(failure));
            if (isOver) {
                remove(task);
            } else if (lane.failing) {
                makeReady(task);
            } else {
                task.replies++;
                pause(task);
            }
            if (failures > 0) {
                after(failures, () -> probe(lane));
            }
            forgetIfIdle(lane);
        }
        sendReady(lane);
        log(task, reply, isOver);
        if (isOver || reply instanceof HoldReply.Done) {
            task.freed.complete(null);
        }
        if (reply instanceof HoldReply.NotHeld not) {
            task.listeners.forEach(listener -> {
                if (isLoss) {
                    listener.lost(not);
                }
                listener.ended();
            });
        } else if (isOver) {
            task.listeners.forEach(Listener::ended);
        }
    }

    /** An error reply of a server that serves is about one task, and says nothing of the others. */
    private static boolean isServing(Throwable failure) {
        return StoreFailure.isRefusal(failure) && !StoreFailure.isNotServing(failure);
    }

    private boolean isOver(Task task, @Nullable HoldReply reply, @Nullable Throwable failure) {
        boolean isKnown = reply instanceof HoldReply.Done || reply instanceof HoldReply.NotHeld;
        if (task.outcomeUnknown ? task.notHeld >= ENOUGH_NOT_HELD : isKnown) {
            return true;
        }
        // A server that refuses to withdraw an entry will go on to, and drops the queue when no client asks for it. A
        // replica's refusal says nothing of its master.
        return hasExpired(task) || (failure != null && isServing(failure) && !mayBeHeld(task));
    }

    private boolean hasExpired(Task task) {
        return task.request.place().isEmpty() && !mayBeHeld(task);
    }

    private boolean mayBeHeld(Task task) {
        return task.expiry.remainingNanos(clock) > 0;
    }

    private void makeReady(Task task) {
        task.pause = null;
        task.lane.ready.add(task);
    }

    /** Makes it ready again after a while; a task that is joined meanwhile is ready at once. */
    private void pause(Task task) {
        Object pause = new Object();
        task.pause = pause;
        after(task.replies, () -> {
            synchronized (this) {
                if (task.pause == pause) {
                    makeReady(task);
                }
            }
            sendReady(task.lane);
        });
    }

    private void probe(Lane lane) {
        List<Task> expired = new ArrayList<>();
        Task first;
        synchronized (this) {
            lane.ready.removeIf(task -> hasExpired(task) && expired.add(task));
            expired.forEach(this::remove);
            first = lane.take();
            lane.failing = first != null;
            forgetIfIdle(lane);
        }
        for (Task task : expired) {
            task.freed.complete(null);
            task.listeners.forEach(Listener::ended);
        }
        if (first != null) {
            send(first);
        }
    }

    private void after(int times, Runnable action) {
        long pause = PAUSES_MILLIS[Math.min(times, PAUSES_MILLIS.length - 1)];
        scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(pause), action);
    }

    private static void log(Task task, @Nullable HoldReply reply, boolean isOver) {
        if (reply instanceof HoldReply.Done) {
            LOG.log(Level.DEBUG, "{0} was released in the background", task.subject);
        } else if (isOver) {
            LOG.log(Level.DEBUG, "{0} is no longer held: not held, or its lease is over", task.subject);
        }
    }
}
