package io.keyhold.lettuce;

import io.keyhold.spi.RedisCall;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.AsyncCommand;
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
 * close it at once, when one reply has not come in time, would cut off those whose replies are about to come.
 */
final class Line {

    private final StatefulRedisConnection<String, String> connection;
    private final Endpoint endpoint;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean retired;

    Line(StatefulRedisConnection<String, String> connection, Endpoint endpoint) {
        this.connection = connection;
        this.endpoint = endpoint;
    }

    boolean isUsable() {
        return !retired && connection.isOpen();
    }

    /**
     * Sends the commands in one go. When all are answered, completes with what the replies mean, or with the failure
     * that the driver's caller is to get.
     *
     * @return null if the line is retired: nothing was sent
     */
    <T> @Nullable CompletableFuture<T> trySend(List<RedisCall> calls, Function<List<@Nullable Object>, T> meaning) {
        underWay.incrementAndGet(); // First, so that it is not closed between the question and the sending.
        if (retired) {
            end();
            return null;
        }
        List<AsyncCommand<String, String, @Nullable Object>> commands = Commands.of(calls);
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletableFuture.allOf(commands.toArray(CompletableFuture<?>[]::new)).whenComplete((all, failed) -> {
            if (failed == null) {
                end();
                result.complete(meaning.apply(replies(commands)));
            } else {
                Throwable failure = worstFailure(commands);
                if (!(failure instanceof RedisCommandExecutionException)) {
                    retired = true;
                }
                end();
                result.completeExceptionally(Failures.whileTalking(endpoint, failure));
            }
        });
        dispatch(commands);
        return result;
    }

    private void dispatch(List<AsyncCommand<String, String, @Nullable Object>> commands) {
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

    private static List<@Nullable Object> replies(List<AsyncCommand<String, String, @Nullable Object>> commands) {
        List<@Nullable Object> replies = new ArrayList<>(commands.size());
        commands.forEach(command -> replies.add(command.join()));
        return replies;
    }

    /** The first that leaves the outcome open, if there is one; else the first error reply. */
    private static Throwable worstFailure(List<AsyncCommand<String, String, @Nullable Object>> commands) {
        Throwable first = null;
        for (AsyncCommand<String, String, @Nullable Object> command : commands) {
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
