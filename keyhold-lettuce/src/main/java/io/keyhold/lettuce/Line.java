package io.keyhold.lettuce;

import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisErrorException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection and the exchanges under way on it.
 *
 * <p>A failure other than an error reply retires the line: nothing more is sent on it, and the last exchange closes it. To
 * close it at once, when one reply has not come in time, would cut off those whose replies are about to come. A reply that
 * says that the server does not serve retires all lines that were opened until then.
 */
final class Line {

    private static final long MOMENT_NANOS = Duration.ofMillis(10).toNanos();
    private static final RedisCall PING = RedisCall.of("PING");

    private final StatefulRedisConnection<String, String> connection;
    private final Endpoint endpoint;
    private final Generation generation;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean retired;
    private volatile long lastReply = System.nanoTime();

    Line(StatefulRedisConnection<String, String> connection, Endpoint endpoint, Generation generation) {
        this.connection = connection;
        this.endpoint = endpoint;
        this.generation = generation;
    }

    boolean isUsable() {
        return !retired && connection.isOpen() && generation.isCurrent();
    }

    /** For how long nothing has come from the server. */
    long nanosOfSilence() {
        return System.nanoTime() - lastReply;
    }

    /**
     * Whether the server is known to be at the other end. If it has not replied for more than a moment it is asked with
     * PING, because nothing less is certain: a close by the server may not have been noticed yet, and a machine that was
     * restarted, or a firewall that has forgotten the connection, shows only when something is sent. Takes no more than
     * half of the connect timeout, so that another line can be opened. A line that does not pass is retired.
     */
    CompletableFuture<Boolean> isAlive() {
        if (nanosOfSilence() <= MOMENT_NANOS) {
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> alive = new CompletableFuture<>();
        Timeouts.within(
                        endpoint.connectTimeout().dividedBy(2),
                        send(List.of(PING), () -> {}, replies -> true),
                        late -> {})
                .whenComplete((pong, failure) -> {
                    boolean replied = failure == null || failure instanceof RedisErrorException; // Not permitted, say.
                    if (!replied) {
                        retire();
                    }
                    alive.complete(replied);
                });
        return alive;
    }

    /**
     * Sends the commands in one go. When all are answered, completes with what the replies mean, or with the failure
     * that the driver's caller is to get: {@link Failures#notSent} if it is certain that none of them was sent.
     *
     * @param sending runs before each of them is sent
     */
    <T> CompletableFuture<T> send(
            List<RedisCall> calls, Runnable sending, Function<List<@Nullable Object>, T> meaning) {
        underWay.incrementAndGet(); // First, so that it is not closed between the question and the sending.
        if (retired) {
            end();
            return CompletableFuture.failedFuture(Failures.notSent(endpoint));
        }
        List<SentCommand> commands = Commands.of(calls, sending);
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletableFuture.allOf(commands.toArray(CompletableFuture<?>[]::new)).whenComplete((all, failed) -> {
            if (failed == null) {
                lastReply = System.nanoTime();
                end();
                result.complete(meaning.apply(replies(commands)));
            } else {
                Throwable failure = failure(commands);
                heed(failure);
                end();
                result.completeExceptionally(failure);
            }
        });
        dispatch(commands);
        return result;
    }

    private void heed(Throwable failure) {
        if (!(failure instanceof RedisErrorException error)) {
            retired = true;
            return;
        }
        lastReply = System.nanoTime();
        if (error.isNotServing()) {
            generation.end();
            retired = true;
        }
    }

    private void dispatch(List<SentCommand> commands) {
        try {
            if (commands.size() == 1) {
                connection.dispatch(commands.get(0));
            } else {
                connection.dispatch(commands);
            }
        } catch (RuntimeException e) {
            commands.forEach(command -> command.completeExceptionally(e));
        }
    }

    private static List<@Nullable Object> replies(List<SentCommand> commands) {
        List<@Nullable Object> replies = new ArrayList<>(commands.size());
        commands.forEach(command -> replies.add(command.join()));
        return replies;
    }

    /**
     * What the driver's caller is to get. A timeout leaves open whether the command was sent: it may be just about to be.
     * Where the connection has failed, nothing is sent any more.
     */
    private Throwable failure(List<SentCommand> commands) {
        Throwable worst = worstFailure(commands);
        boolean settled =
                worst instanceof RedisCommandExecutionException || worst instanceof RedisCommandTimeoutException;
        return settled || commands.stream().anyMatch(SentCommand::isSent)
                ? Failures.whileTalking(endpoint, worst)
                : Failures.notSent(endpoint);
    }

    /** The first that leaves the outcome open, if there is one; else the first error reply. */
    private static Throwable worstFailure(List<SentCommand> commands) {
        Throwable first = null;
        for (SentCommand command : commands) {
            Throwable failure = failureOf(command);
            if (failure != null && !(failure instanceof RedisCommandExecutionException)) {
                return failure;
            }
            first = first == null ? failure : first;
        }
        return Objects.requireNonNull(first, "one has failed");
    }

    private static @Nullable Throwable failureOf(CompletableFuture<?> command) {
        return command.<@Nullable Throwable>handle((reply, failure) -> failure).join();
    }

    /** Nothing more is sent from now on. Closes when nothing is under way any more. */
    void retire() {
        underWay.incrementAndGet();
        retired = true;
        end();
    }

    private void end() {
        if (underWay.decrementAndGet() == 0 && retired && closed.compareAndSet(false, true)) {
            close(connection);
        }
    }

    /** Lettuce logs a warning when a connection is closed already, be it by the client, which closes all of them. */
    static void close(StatefulRedisConnection<String, String> connection) {
        if (!(connection instanceof RedisChannelHandler<?, ?> handler && handler.isClosed())) {
            connection.closeAsync();
        }
    }
}
