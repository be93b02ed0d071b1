package io.keyhold.spi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The blocking script calls of one lane, which share connections when there are many. Up to eight at a time have a connection each.
 * When there are more, only two of them do: the others queue, and the next leader writes the commands of all that are queued in one
 * go and reads their replies. That costs server and client one read and one write for all of them.
 *
 * <p>A queued call leaves the queue in one of two ways, decided under the monitor: a leader takes it, or its time is up and it ends
 * unsent. A call that was taken waits for its leader, which ends by the timeouts of its connection: giving up earlier would leave a
 * reply behind that the next command would get. If the connection fails, the outcome of all its calls is unknown.
 *
 * <p>While calls are queued there is a leader, and one that ends promotes the first of them unless another leader is left.
 */
final class SharedCalls {

    private static final int MOST_OWN = 8;
    private static final int MOST_LEADERS = 2;
    private static final int MOST_AT_ONCE = 64;

    private final BlockingConnections connections;
    private final Consumer<List<Call>> exchange;
    private final int own;
    private final Queue<Call> queue = new ArrayDeque<>();
    /** Calls that have not ended, and those of them that have a connection. */
    private int calls;

    private int leaders;

    /** {@code exchange} sends calls on one connection and gives each its reply. */
    SharedCalls(BlockingConnections connections, int maxConnections, Consumer<List<Call>> exchange) {
        this.connections = connections;
        this.exchange = exchange;
        this.own = Math.min(MOST_OWN, maxConnections);
    }

    private enum State {
        QUEUED,
        /** Has a connection, or is about to borrow one. */
        LEADING,
        TAKEN,
        ENDED
    }

    /** One call. Its leader writes the outcome before the state. */
    static final class Call {

        private final RedisCall command;
        private final Runnable sending;
        private final Thread thread = Thread.currentThread();
        private volatile State state = State.QUEUED;
        private @Nullable Object outcome;

        Call(RedisCall command, Runnable sending) {
            this.command = command;
            this.sending = sending;
        }

        /** Returns the command, immediately before it is written. */
        RedisCall toSend() {
            sending.run();
            return command;
        }

        /** Notes the reply, or the exception that the caller gets. */
        void ended(@Nullable Object replyOrFailure) {
            outcome = replyOrFailure;
        }

        private void become(State next) {
            state = next;
            if (thread != Thread.currentThread()) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** Sends the command and waits for its reply, or returns the exception that the caller gets. */
    @Nullable
    Object exchange(RedisCall command, Runnable sending) {
        Call call = new Call(command, sending);
        enter(call);
        boolean interrupted = await(call);
        if (call.state == State.LEADING) {
            lead(call);
        }
        if (interrupted) { // Not before: Java closes the socket of an interrupted virtual thread.
            Thread.currentThread().interrupt();
        }
        return call.outcome;
    }

    private synchronized void enter(Call call) {
        calls++;
        if (leaders < mostLeaders()) {
            leaders++;
            call.state = State.LEADING;
        } else {
            queue.add(call);
        }
    }

    private int mostLeaders() {
        return calls <= own ? own : Math.min(MOST_LEADERS, own);
    }

    /**
     * Waits until the call leads or has ended, through interrupts: the thread may be about to release a lock. Returns whether there was
     * an interrupt.
     */
    private boolean await(Call call) {
        long deadline = System.nanoTime() + connections.timeout().toNanos();
        boolean interrupted = false;
        for (State state = call.state; state == State.QUEUED || state == State.TAKEN; state = call.state) {
            long left = deadline - System.nanoTime();
            if (state == State.TAKEN) {
                LockSupport.park(this);
            } else if (left > 0) {
                LockSupport.parkNanos(this, left);
            } else {
                leave(call);
            }
            interrupted |= Thread.interrupted();
        }
        return interrupted;
    }

    private synchronized void leave(Call call) {
        if (queue.remove(call)) {
            calls--;
            call.ended(DriverFailures.exhausted(connections.address(), connections.timeout()));
            call.state = State.ENDED;
        }
    }

    private void lead(Call leader) {
        List<Call> taken = List.of(leader);
        try {
            taken = withQueued(taken);
            exchange.accept(taken);
        } catch (RuntimeException e) {
            failAll(taken, e);
        } catch (Throwable e) { // Otherwise the others would take it for a reply.
            failAll(taken, DriverFailures.broken(connections.address(), e));
        } finally {
            end(taken);
        }
    }

    private static void failAll(List<Call> taken, RuntimeException failure) {
        taken.forEach(call -> call.ended(failure));
    }

    private synchronized List<Call> withQueued(List<Call> leader) {
        if (queue.isEmpty()) {
            return leader;
        }
        // All of it now: if the list could not grow, a call would be lost on its way from the queue.
        List<Call> taken = new ArrayList<>(MOST_AT_ONCE);
        taken.addAll(leader);
        while (taken.size() < MOST_AT_ONCE && !queue.isEmpty()) {
            Call call = queue.remove();
            taken.add(call);
            call.state = State.TAKEN;
        }
        return taken;
    }

    private void end(List<Call> taken) {
        Call next = nextLeader(taken.size());
        if (next != null) {
            next.become(State.LEADING);
        }
        taken.forEach(call -> call.become(State.ENDED));
    }

    private synchronized @Nullable Call nextLeader(int ended) {
        calls -= ended;
        Call next = leaders > mostLeaders() ? null : queue.poll();
        if (next == null) {
            leaders--;
        }
        return next;
    }
}
