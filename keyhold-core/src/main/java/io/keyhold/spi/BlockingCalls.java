package io.keyhold.spi;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls and sessions of a driver whose connections block: chooses the thread that waits for the reply. For driver authors; the
 * methods are those of {@link RedisDriver}.
 *
 * <p>A {@link CallMode#BLOCKING} call does its input and output on the calling thread, be it a platform thread or a virtual one; where
 * more than eight threads run scripts at a time, one of them does it for several. An {@link CallMode#ASYNCHRONOUS} call does it on one of at most
 * eight daemon threads of its {@linkplain CallLane lane}, which end when they have had nothing to do for two seconds; or, if the caller is ready
 * to read the reply of a quick server, on the calling thread.
 *
 * <p>Calls end by their timeouts and not by interrupts: a thread that was interrupted can still release its lock.
 *
 * @param <C> the driver's connection
 */
public final class BlockingCalls<C extends BlockingConnection> {

    private final BlockingConnections<C> connections;
    private final Map<CallLane, IoExecutor> executors = new EnumMap<>(CallLane.class);
    /** Empty if connections are not shared. */
    private final Map<CallLane, SharedCalls> shared = new EnumMap<>(CallLane.class);

    private final Quickness quickness = new Quickness();
    private volatile long lastReply = System.nanoTime();

    /**
     * Starts no thread yet.
     *
     * @param connections where to borrow connections
     * @param threadPrefix how the names of threads begin
     * @param maxShared how many connections of a lane calls may share when there are many; 0 if they may not
     */
    public BlockingCalls(BlockingConnections<C> connections, String threadPrefix, int maxShared) {
        this.connections = connections;
        for (CallLane lane : CallLane.values()) {
            executors.put(lane, new IoExecutor(threadPrefix, connections::address));
            if (maxShared > 0) {
                shared.put(lane, new SharedCalls(connections, maxShared, calls -> exchange(lane, calls)));
            }
        }
    }

    /** As {@link RedisDriver#call(RedisCall, CallOptions)}. */
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        if (options.mode() != CallMode.BLOCKING) {
            return enqueue(options.lane(), () -> exchange(call, options));
        }
        // Only scripts: a command that blocks on the server would hold up those behind it.
        SharedCalls others = call.command().equals("EVALSHA") ? shared.get(options.lane()) : null;
        return onThisThread(
                () -> others == null ? exchange(call, options) : completed(others.exchange(call, options.sending())));
    }

    /** As {@link RedisDriver#call(RedisCall, CallOptions, Consumer)}. */
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options, Consumer<PendingReply> unread) {
        return onThisThread(() -> {
            C connection = quickness.isQuick() ? connections.borrowNow(options.lane()) : null;
            if (connection == null) {
                return call(call, options);
            }
            SentCall sent = new SentCall(connection, options.lane());
            try {
                options.sending().run();
                connection.send(call);
            } catch (Throwable e) {
                release(options.lane(), connection);
                throw e;
            }
            unread.accept(sent);
            return sent.reply;
        });
    }

    /** A command that was written on the thread of its caller. */
    private final class SentCall implements PendingReply {

        private final C connection;
        private final CallLane lane;
        private final long sent = System.nanoTime();
        private final CompletableFuture<@Nullable Object> reply = new CompletableFuture<>();

        SentCall(C connection, CallLane lane) {
            this.connection = connection;
            this.lane = lane;
        }

        @Override
        public boolean read() {
            long left = sent + Quickness.LONGEST_NANOS - System.nanoTime();
            boolean isHere = uninterrupted(() -> connection.awaitReply(left > 0 ? 1 : 0));
            if (isHere) {
                complete();
            }
            return isHere;
        }

        @Override
        public void readInBackground() {
            quickness.noteSlow();
            CompletionStage<?> reading = executor(lane).run(() -> {
                complete();
                return reply;
            });
            reading.whenComplete((value, failure) -> {
                if (!reply.isDone()) { // No thread took it: the driver is closed, or the system has none left.
                    connection.close();
                    complete();
                }
            });
        }

        private void complete() {
            Stages.forward(onThisThread(this::receive), reply);
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
        C connection = connections.borrow(lane);
        try {
            List<RedisCall> commands = calls.size() == 1
                    ? List.of(calls.get(0).toSend())
                    : calls.stream().map(SharedCalls.Call::toSend).toList();
            List<@Nullable Object> replies = connection.exchange(commands);
            for (int i = 0; i < replies.size(); i++) {
                calls.get(i).ended(replies.get(i));
            }
        } finally {
            release(lane, connection);
        }
    }

    private CompletionStage<@Nullable Object> exchange(RedisCall call, CallOptions options) {
        C connection = connections.borrow(options.lane());
        long sent = System.nanoTime();
        try {
            options.sending().run();
            return completed(connection.exchange(List.of(call)).get(0));
        } finally {
            release(options.lane(), connection, sent);
        }
    }

    /** A reply is never an exception, so that an exception in its place is a failure. */
    private static CompletionStage<@Nullable Object> completed(@Nullable Object replyOrFailure) {
        return replyOrFailure instanceof RuntimeException failure
                ? CompletableFuture.failedFuture(failure)
                : CompletableFuture.completedFuture(replyOrFailure);
    }

    /** Releases the connection of one call, which was sent at this time. */
    private void release(CallLane lane, C connection, long sent) {
        if (!connection.isBroken()) {
            quickness.replied(System.nanoTime() - sent);
        }
        release(lane, connection);
    }

    private void release(CallLane lane, C connection) {
        long reply = connection.lastReply();
        if (!connection.isBroken() && reply - lastReply > 0) { // A session may end long after its last reply.
            lastReply = reply;
        }
        connections.release(lane, connection);
    }

    /** As {@link RedisDriver#withSession(CallOptions, Function)}. */
    public <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        return options.mode() == CallMode.BLOCKING
                ? onThisThread(() -> session(options, BlockingCalls::onThisThread, work))
                : enqueue(options.lane(), () -> session(options, executor(options.lane())::run, work));
    }

    /** {@code thread} does the input and output of the session on a thread that may wait for it. */
    private <T> CompletionStage<T> session(
            CallOptions options,
            Function<Supplier<CompletionStage<List<@Nullable Object>>>, CompletionStage<List<@Nullable Object>>> thread,
            Function<RedisSession, CompletionStage<T>> work) {
        C connection = connections.borrow(options.lane());
        return DriverSession.lend(
                new DriverSession.Connection() {
                    @Override
                    public CompletionStage<List<@Nullable Object>> send(List<RedisCall> calls) {
                        return thread.apply(() -> CompletableFuture.completedFuture(withoutErrors(connection, calls)));
                    }

                    @Override
                    public void close() {
                        connection.close();
                    }

                    @Override
                    public void release() {
                        BlockingCalls.this.release(options.lane(), connection);
                    }
                },
                options,
                work);
    }

    private static List<@Nullable Object> withoutErrors(BlockingConnection connection, List<RedisCall> calls) {
        List<@Nullable Object> replies = connection.exchange(calls);
        for (Object reply : replies) {
            if (reply instanceof RedisErrorException error) {
                throw error;
            }
        }
        return replies;
    }

    /**
     * Does the work inside this call. A pending interrupt is put aside meanwhile: Java closes the socket of a virtual thread
     * that touches it while interrupted, and the work may be the release of a lock by an interrupted thread.
     */
    private static <T> CompletionStage<T> onThisThread(Supplier<CompletionStage<T>> work) {
        return uninterrupted(() -> Stages.flat(work));
    }

    private static <T> T uninterrupted(Supplier<T> work) {
        boolean interrupted = Thread.interrupted();
        try {
            return work.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Does the work on a thread of the lane. The time in the queue does not count: a thousand calls at a distance of 200 ms
     * wait for each other for 25 s, and none of them is lost. But behind calls to which the server does not reply, the queue
     * would take that many timeouts to empty.
     */
    private <T> CompletionStage<T> enqueue(CallLane lane, Supplier<CompletionStage<T>> work) {
        long queued = System.nanoTime();
        return executor(lane).enqueue(() -> {
            long last = lastReply;
            long silence = System.nanoTime() - (last - queued > 0 ? last : queued);
            if (silence > connections.timeout().toNanos()) {
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

    /** Lets queued calls run, which find the connections closed, and then ends the threads. The driver closes the connections first. */
    public void close() {
        executors.values().forEach(IoExecutor::close);
    }
}
