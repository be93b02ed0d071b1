package io.keyhold.spi;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A driver whose connections block: chooses the thread that waits for the reply. For driver authors, who write {@link BlockingConnections}.
 *
 * <p>A {@link CallMode#BLOCKING} call does its input and output on the calling thread, be it a platform thread or a virtual one; where
 * more than eight threads run scripts at a time, one of them does it for several. An {@link CallMode#ASYNCHRONOUS} call does it on one of at most
 * eight daemon threads of its {@linkplain CallLane lane}, which end when they have had nothing to do for two seconds; or, if the caller is ready
 * to read the reply of a quick server, on the calling thread. A subscription has a daemon thread and a connection of its own, from
 * {@link #subscribe} until it ends.
 *
 * <p>Calls end by their timeouts and not by interrupts: a thread that was interrupted can still release its lock.
 */
public abstract class BlockingDriver implements RedisDriver {

    private final BlockingConnections connections;
    private final String threadPrefix;
    private final Map<CallLane, IoExecutor> executors = new EnumMap<>(CallLane.class);
    /** Empty if connections are not shared. */
    private final Map<CallLane, SharedCalls> shared = new EnumMap<>(CallLane.class);

    private final Set<BlockingSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private final Quickness quickness = new Quickness();
    private final LastReply lastReply = new LastReply();
    private volatile boolean closed;

    /**
     * Starts no thread yet.
     *
     * @param connections where to borrow connections
     * @param threadPrefix how the names of threads begin
     * @param maxShared how many connections of a lane calls may share when there are many; 0 if they may not
     */
    protected BlockingDriver(BlockingConnections connections, String threadPrefix, int maxShared) {
        this.connections = connections;
        this.threadPrefix = threadPrefix;
        for (CallLane lane : CallLane.values()) {
            executors.put(lane, new IoExecutor(threadPrefix, connections::address));
            if (maxShared > 0) {
                shared.put(lane, new SharedCalls(connections, maxShared, calls -> exchange(lane, calls)));
            }
        }
    }

    @Override
    public final String address() {
        return connections.address();
    }

    @Override
    public final CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        if (options.mode() != CallMode.BLOCKING) {
            return enqueue(options.lane(), () -> exchange(call, options));
        }
        // Only scripts: a command that blocks on the server would hold up those behind it.
        SharedCalls others = call.command().equals("EVALSHA") ? shared.get(options.lane()) : null;
        return onThisThread(
                () -> others == null ? exchange(call, options) : completed(others.exchange(call, options.sending())));
    }

    @Override
    public final CompletionStage<@Nullable Object> call(
            RedisCall call, CallOptions options, Consumer<PendingReply> unread) {
        return onThisThread(() -> {
            BlockingConnection connection = quickness.isQuick() ? connections.borrowNow(options.lane()) : null;
            if (connection == null) {
                return call(call, options);
            }
            SentCall sent = new SentCall(connection, options.lane());
            try {
                options.sending().run();
                connection.send(List.of(call));
            } catch (Throwable e) {
                release(options.lane(), connection);
                throw e;
            }
            try {
                unread.accept(sent);
            } catch (Throwable e) { // The caller may not have it. Otherwise the connection would be lent for good.
                sent.readInBackground();
            }
            return sent.reply;
        });
    }

    /** A command that was written on the thread of its caller. */
    private final class SentCall implements PendingReply {

        private final BlockingConnection connection;
        private final CallLane lane;
        private final long sent = System.nanoTime();
        private final CompletableFuture<@Nullable Object> reply = new CompletableFuture<>();
        private final AtomicBoolean taken = new AtomicBoolean();

        SentCall(BlockingConnection connection, CallLane lane) {
            this.connection = connection;
            this.lane = lane;
        }

        @Override
        public boolean read() {
            long left = sent + Quickness.LONGEST_NANOS - System.nanoTime();
            boolean isHere = BlockingConnections.uninterrupted(() -> connection.awaitReply(left > 0 ? 1 : 0));
            if (isHere) {
                complete(() -> {});
            }
            return isHere;
        }

        @Override
        public void readInBackground() {
            quickness.noteSlow();
            CompletionStage<?> reading = executor(lane).run(() -> {
                complete(() -> {});
                return reply;
            });
            reading.whenComplete((value, failure) -> {
                if (failure != null) { // Perhaps no thread took it: the driver is closed, or the system has none left.
                    complete(connection::close);
                    reply.completeExceptionally(failure);
                }
            });
        }

        /** Reads the reply, once: after an error it may be queued twice, and the connection belongs to another call after the first read. */
        private void complete(Runnable before) {
            if (taken.compareAndSet(false, true)) {
                before.run();
                Stages.forward(onThisThread(this::receive), reply);
            }
        }

        private CompletionStage<@Nullable Object> receive() {
            try {
                return completed(connection.receive());
            } finally {
                release(lane, connection, sent);
            }
        }
    }

    private void exchange(CallLane lane, List<SharedCalls.Call> calls) {
        BlockingConnection connection = connections.borrow(lane);
        try {
            List<RedisCall> commands = calls.size() == 1
                    ? List.of(calls.get(0).toSend())
                    : calls.stream().map(SharedCalls.Call::toSend).toList();
            List<@Nullable Object> replies = BlockingConnections.uninterrupted(() -> connection.exchange(commands));
            for (int i = 0; i < replies.size(); i++) {
                calls.get(i).ended(replies.get(i));
            }
        } finally {
            release(lane, connection);
        }
    }

    private CompletionStage<@Nullable Object> exchange(RedisCall call, CallOptions options) {
        BlockingConnection connection = connections.borrow(options.lane());
        long sent = System.nanoTime();
        return BlockingConnections.uninterrupted(() -> {
            try {
                options.sending().run();
                return completed(connection.exchange(List.of(call)).get(0));
            } finally {
                release(options.lane(), connection, sent);
            }
        });
    }

    /** A reply is never an exception, so that an exception in its place is a failure. */
    private static CompletionStage<@Nullable Object> completed(@Nullable Object replyOrFailure) {
        return replyOrFailure instanceof RuntimeException failure
                ? CompletableFuture.failedFuture(failure)
                : CompletableFuture.completedFuture(replyOrFailure);
    }

    /** Releases the connection of one call, which was sent at this time. */
    private void release(CallLane lane, BlockingConnection connection, long sent) {
        if (!connection.isBroken()) {
            quickness.replied(System.nanoTime() - sent);
        }
        release(lane, connection);
    }

    private void release(CallLane lane, BlockingConnection connection) {
        if (!connection.isBroken()) {
            lastReply.note(connection);
        }
        connections.release(lane, connection);
    }

    @Override
    public final <T> CompletionStage<T> withSession(
            CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        return options.mode() == CallMode.BLOCKING
                ? onThisThread(() -> session(options, work))
                : enqueue(options.lane(), () -> session(options, work));
    }

    private <T> CompletionStage<T> session(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        BlockingConnection connection = connections.borrow(options.lane());
        return DriverSession.lend(
                new DriverSession.Connection() {
                    @Override
                    public CompletionStage<List<@Nullable Object>> send(List<RedisCall> calls) {
                        Supplier<CompletionStage<List<@Nullable Object>>> exchange =
                                () -> CompletableFuture.completedFuture(connection.exchangeAll(calls));
                        return options.mode() == CallMode.BLOCKING
                                ? onThisThread(exchange)
                                : executor(options.lane()).run(exchange);
                    }

                    @Override
                    public void close() {
                        connection.close();
                    }

                    @Override
                    public void release() {
                        BlockingDriver.this.release(options.lane(), connection);
                    }
                },
                options,
                work);
    }

    /** Does the work inside this call, with a pending interrupt put aside. */
    private static <T> CompletionStage<T> onThisThread(Supplier<CompletionStage<T>> work) {
        return BlockingConnections.uninterrupted(() -> Stages.flat(work));
    }

    /**
     * Does the work on a thread of the lane. The time in the queue does not count: a thousand calls at a distance of 200 ms
     * wait for each other for 25 s, and none of them is lost. But behind calls to which the server does not reply, the queue
     * would take that many timeouts to empty.
     */
    private <T> CompletionStage<T> enqueue(CallLane lane, Supplier<CompletionStage<T>> work) {
        long queued = System.nanoTime();
        return executor(lane).enqueue(() -> {
            if (lastReply.silence(queued) > connections.timeout().toNanos()) {
                throw DriverFailures.notConnected(
                        "not sent: no reply from " + connections.address() + " to any call within "
                                + connections.timeout().toMillis() + " ms",
                        null);
            }
            return work.get();
        });
    }

    private IoExecutor executor(CallLane lane) {
        return Objects.requireNonNull(executors.get(lane));
    }

    @Override
    public final CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        BlockingSubscription subscription = new BlockingSubscription(connections, channel, listener);
        subscriptions.add(subscription);
        try {
            if (closed) { // Then close() may have missed it.
                throw DriverFailures.closed(address());
            }
            return subscription.start(threadPrefix, () -> subscriptions.remove(subscription));
        } catch (Throwable e) { // The system may have no thread left.
            subscriptions.remove(subscription);
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Closes all subscriptions for this reason, but not the driver. */
    protected final void closeSubscriptions(RedisConnectionException why) {
        subscriptions.forEach(subscription -> subscription.close(why));
    }

    @Override
    public final void trim() {
        connections.trim();
    }

    /** Closes the connections first, so that calls which are still queued find them closed when the threads run them and end. */
    @Override
    public final void close() {
        closed = true;
        connections.close();
        closeSubscriptions(DriverFailures.closed(address()));
        executors.values().forEach(IoExecutor::close);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + address() + "]";
    }
}
