package io.keyhold.lettuce;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.PooledConnection;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A Lettuce connection and the exchanges in flight on it.
 *
 * <p>A failure other than an error reply breaks it: nothing more is sent on it, and the last exchange closes it. Closing it
 * at once, when one reply has not come in time, would cut off exchanges whose replies are about to come.
 */
final class LettuceConnection extends PooledConnection {

    private static final RedisCall PING = RedisCall.of("PING");

    private final StatefulRedisConnection<String, String> lettuce;
    private final Endpoint endpoint;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();

    LettuceConnection(StatefulRedisConnection<String, String> lettuce, Endpoint endpoint, Generation generation) {
        super(generation, System.nanoTime());
        this.lettuce = lettuce;
        this.endpoint = endpoint;
    }

    @Override
    public boolean isBroken() {
        return super.isBroken() || !lettuce.isOpen();
    }

    /** Returns whether a call of the lane may be sent on it, after a {@linkplain #needsPing PING} if need be. Closes it if not. */
    CompletableFuture<Boolean> isAliveFor(CallLane lane) {
        if (!needsPing(lane)) {
            return CompletableFuture.completedFuture(true);
        }
        return Stages.flat(() -> send(List.of(PING), () -> {})
                        .orTimeout(endpoint.connectTimeout().toNanos() / 2, TimeUnit.NANOSECONDS))
                .handle((pong, failure) -> {
                    boolean replied = failure == null || failure instanceof RedisErrorException; // Not permitted, say.
                    if (!replied) {
                        close();
                    }
                    return replied;
                })
                .toCompletableFuture();
    }

    /**
     * Sends the commands in one go. When all have ended, completes with the replies, or with the failure that the driver's
     * caller gets: {@link DriverFailures#lost} if it is certain that none of them was sent.
     *
     * @param sending runs before each of them is sent
     */
    CompletableFuture<List<@Nullable Object>> send(List<RedisCall> calls, Runnable sending) {
        List<SentCommand> commands =
                calls.stream().map(call -> new SentCommand(call, sending)).toList();
        inFlight.incrementAndGet(); // Before the check, so that it is not closed between the check and the sending.
        if (super.isBroken()) {
            end();
            return CompletableFuture.failedFuture(DriverFailures.lost(endpoint.address()));
        }
        CompletableFuture<List<@Nullable Object>> result = new CompletableFuture<>();
        CompletableFuture.allOf(commands.toArray(CompletableFuture<?>[]::new)).whenComplete((all, failed) -> {
            if (failed == null) {
                noteReply();
                end();
                result.complete(commands.stream().map(CompletableFuture::join).toList());
                return;
            }
            Throwable failure = failure(commands);
            if (failure instanceof RedisErrorException error) {
                noteReply();
                noteError(error);
            } else {
                markBroken();
            }
            end();
            result.completeExceptionally(failure);
        });
        SentCommand.dispatch(lettuce, commands);
        return result;
    }

    /** Returns whether a failure of {@link #send} means that the connection is lost and nothing was sent. */
    static boolean isNotSent(Throwable failure) {
        return failure instanceof RedisConnectionException lost && lost.failure() == Failure.NOT_CONNECTED;
    }

    /**
     * Returns what the driver's caller gets: the first failure that leaves the outcome open, or else the first error reply.
     * After a timeout or an error the command may be just about to be sent. Where the connection has failed, nothing more is sent.
     */
    private Throwable failure(List<SentCommand> commands) {
        List<Throwable> failures = commands.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .map(command -> command.handle((reply, failure) -> failure).join())
                .toList();
        Throwable worst = failures.stream()
                .filter(failure -> !(failure instanceof RedisCommandExecutionException))
                .findFirst()
                .orElse(failures.get(0));
        return worst instanceof RedisCommandExecutionException
                        || worst instanceof RedisCommandTimeoutException
                        || worst instanceof Error
                        || commands.stream().anyMatch(SentCommand::isSent)
                ? endpoint.callFailure(worst)
                : DriverFailures.lost(endpoint.address());
    }

    /** Lets nothing more be sent, and closes the connection when nothing is in flight any more. */
    @Override
    public void close() {
        inFlight.incrementAndGet();
        markBroken();
        end();
    }

    private void end() {
        if (inFlight.decrementAndGet() == 0 && super.isBroken() && closed.compareAndSet(false, true)) {
            close(lettuce);
        }
    }

    /** Lettuce logs a warning when a connection is closed already, be it by the client, which closes all of them. */
    static void close(StatefulRedisConnection<String, String> connection) {
        if (!(connection instanceof RedisChannelHandler<?, ?> handler && handler.isClosed())) {
            connection.closeAsync();
        }
    }
}
