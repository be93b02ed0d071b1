package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.ReleaseRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is to be given back at one node. A node that is down may leave thousands of things: then it is asked for one of them from time to time, and
 * for the others when it answers. What is too much is left to expire, as all of it would in the end.
 *
 * <p>One answer of "not held" is not enough: the release may overtake the vote that it takes back (see the engine's {@code Undo}).
 */
final class NodeRetreat {

    private static final int MOST = 10_000;
    private static final int AT_A_TIME = 16;
    private static final int ENOUGH_DENIALS = 3;
    private static final long[] PAUSES_MILLIS = {0, 100, 1_000, 5_000};

    private final Quorum quorum;
    private final NodeStore node;
    private final Map<String, Task> byToken = new HashMap<>();
    private final Deque<Task> ready = new ArrayDeque<>();
    private int underWay;
    /** Since the last answer. Then a timer sends what comes next. */
    private boolean failing;

    /** How often in a row. */
    private int failures;

    private boolean sending;

    NodeRetreat(Quorum quorum, NodeStore node) {
        this.quorum = quorum;
        this.node = node;
    }

    private static final class Task {
        ReleaseRequest request;
        long endsAtNanos;
        final CompletableFuture<Boolean> done = new CompletableFuture<>();
        int denials;

        Task(ReleaseRequest request, long endsAtNanos) {
            this.request = request;
            this.endsAtNanos = endsAtNanos;
        }
    }

    /** Gives this back; after so long it is gone by itself. */
    void add(ReleaseRequest request, long leaseMillis) {
        long ends = quorum.clock().monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(leaseMillis);
        synchronized (this) {
            Task known = byToken.get(request.token());
            if (known != null) {
                known.request = request.place().isPresent() ? request : known.request;
                known.endsAtNanos = Math.max(known.endsAtNanos, ends);
                known.denials = 0;
                return;
            }
            if (byToken.size() == MOST) {
                return;
            }
            Task task = new Task(request, ends);
            byToken.put(request.token(), task);
            ready.add(task);
        }
        sendReady();
    }

    synchronized List<CompletableFuture<Boolean>> unfinished() {
        return byToken.values().stream().map(task -> task.done).toList();
    }

    /** By one thread at a time, which looks again after each: an answer may come at once, and call this. */
    private void sendReady() {
        synchronized (this) {
            if (sending) {
                return;
            }
            sending = true;
        }
        for (Optional<Task> next = next(); next.isPresent(); next = next()) {
            send(next.get());
        }
    }

    private synchronized Optional<Task> next() {
        Optional<Task> next = failing || underWay >= AT_A_TIME ? Optional.empty() : started();
        sending = next.isPresent();
        return next;
    }

    private synchronized Optional<Task> started() {
        Task task = ready.poll();
        underWay += task == null ? 0 : 1;
        return Optional.ofNullable(task);
    }

    private void send(Task task) {
        try {
            node.giveUp(task.request).whenComplete((reply, failure) -> answered(task, reply));
        } catch (RuntimeException e) {
            answered(task, null);
        }
    }

    /** Decides and forgets in one step: who has the same token to give back meanwhile must not rely on a task that is over. */
    private void answered(Task task, @Nullable HoldReply reply) {
        if (reply == null) {
            failed(task);
            return;
        }
        boolean over;
        synchronized (this) {
            underWay--;
            failing = false;
            failures = 0;
            task.denials += reply instanceof HoldReply.NotHeld ? 1 : 0;
            over = reply instanceof HoldReply.Done || task.denials >= ENOUGH_DENIALS || isOver(task);
            if (over) {
                byToken.remove(task.request.token());
            }
        }
        if (over) {
            task.done.complete(true);
        } else {
            after(task.denials, () -> again(task));
        }
        sendReady();
    }

    private void again(Task task) {
        synchronized (this) {
            ready.add(task);
        }
        sendReady();
    }

    /** What was under way together fails together, as one: the last of it sets the timer. */
    private void failed(Task task) {
        int inARow;
        boolean last;
        synchronized (this) {
            ready.add(task);
            underWay--;
            failing = true;
            last = underWay == 0;
            failures += last ? 1 : 0;
            inARow = failures;
        }
        if (last) {
            after(inARow, this::probe);
        }
    }

    private void probe() {
        List<Task> over = new ArrayList<>();
        Optional<Task> first;
        synchronized (this) {
            ready.removeIf(task -> isOver(task) && over.add(task));
            over.forEach(task -> byToken.remove(task.request.token()));
            first = started();
            failing = first.isPresent();
        }
        over.forEach(task -> task.done.complete(true));
        first.ifPresent(this::send);
    }

    private boolean isOver(Task task) {
        return quorum.clock().monotonicNanos() - task.endsAtNanos > 0;
    }

    private void after(int times, Runnable action) {
        long pause = PAUSES_MILLIS[Math.min(times, PAUSES_MILLIS.length - 1)];
        quorum.scheduler().schedule(TimeUnit.MILLISECONDS.toNanos(pause), action);
    }
}
