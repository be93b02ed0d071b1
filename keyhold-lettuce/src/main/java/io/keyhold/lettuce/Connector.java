package io.keyhold.lettuce;

import io.keyhold.spi.BlockingConnections;
import io.keyhold.spi.PooledConnection.Generation;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.Stages;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens connections to one server, by a Lettuce client that is created with the first of them: that starts a thread. */
final class Connector {

    private static final int MAX_TRIES = 30;
    private static final long SHUTDOWN_SECONDS = 1;

    private final Endpoint endpoint;
    private final RedisURI uri;
    private final Supplier<RedisClient> factory;
    private final Runnable afterShutdown;
    private @Nullable RedisClient client;
    private int opening;
    private volatile boolean closed;

    /** {@code afterShutdown} runs when the client is closed, whether it was ever created or not. */
    Connector(Endpoint endpoint, RedisURI uri, Supplier<RedisClient> factory, Runnable afterShutdown) {
        this.endpoint = endpoint;
        this.uri = uri;
        this.factory = factory;
        this.afterShutdown = afterShutdown;
    }

    boolean isClosed() {
        return closed;
    }

    /** Opens a connection of this generation. Fails within the connect timeout, with what the driver's caller gets. */
    CompletableFuture<LettuceConnection> connect(Generation generation) {
        return open(
                (lettuce, to) -> lettuce.connectAsync(StringCodec.UTF8, to),
                connection -> new LettuceConnection(connection, endpoint, generation));
    }

    /** Opens a connection for a subscription in the same way. */
    CompletableFuture<LettuceSubscription> connectForSubscription(RedisListener listener) {
        return open(
                (lettuce, to) -> lettuce.connectPubSubAsync(StringCodec.UTF8, to),
                connection -> new LettuceSubscription(connection, endpoint, listener, this::isClosed));
    }

    private <C extends StatefulRedisConnection<String, String>, T> CompletableFuture<T> open(
            BiFunction<RedisClient, RedisURI, CompletionStage<C>> connect, Function<C, T> use) {
        RedisClient lettuce;
        try {
            lettuce = begin();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(endpoint.connectFailure(e));
        }
        CompletableFuture<C> connected = new CompletableFuture<>();
        CompletableFuture<T> opened = new CompletableFuture<>();
        connected.whenComplete((connection, failure) -> {
            if (failure != null) {
                opened.completeExceptionally(closed ? endpoint.closed() : endpoint.connectFailure(failure));
            } else if (closed) {
                LettuceConnection.close(connection);
                opened.completeExceptionally(endpoint.closed());
            } else {
                opened.complete(use.apply(connection));
            }
            end();
        });
        Stages.flat(() -> credentialsAtHand(uri)
                        .thenCompose(known -> withReason(() -> connect.apply(lettuce, known), MAX_TRIES)))
                .whenComplete((connection, failure) -> {
                    if (failure != null) {
                        connected.completeExceptionally(Stages.unwrapped(failure));
                    } else if (!connected.complete(connection)) { // Too late.
                        LettuceConnection.close(connection);
                    }
                });
        try {
            connected.orTimeout(endpoint.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (Throwable e) { // The system may have no thread left for it.
            connected.completeExceptionally(e);
        }
        return opened;
    }

    /**
     * Tries again when Lettuce has lost the reason of a failure, and only says that its own handler of the handshake is
     * gone. That happens when the server refuses the password before the calling thread listens for it: seen with 7.7.0,
     * mostly once in a hundred times, but on several threads also ten times in a row.
     */
    private static <C> CompletionStage<C> withReason(Supplier<CompletionStage<C>> connect, int tries) {
        return connect.get()
                .toCompletableFuture() // Lettuce's own stage would never complete.
                .exceptionallyCompose(failure -> tries > 1 && isWithoutReason(failure)
                        ? withReason(connect, tries - 1)
                        : CompletableFuture.failedStage(failure));
    }

    private static boolean isWithoutReason(Throwable failure) {
        return failure instanceof IllegalStateException
                || (failure.getCause() != null && isWithoutReason(failure.getCause()));
    }

    /**
     * Finds out user and password before a connection is opened.
     *
     * <p>Otherwise Lettuce asks for them meanwhile, on another thread, which may then declare the connection open before the
     * thread that reads from it has taken notice (seen with 7.7.0, once in fifty times). The first command is refused as
     * "currently not connected". A password in a {@link RedisURI} is of this kind too. Left as they are: credentials that
     * change with time, and a URI of sentinels, which cannot be copied.
     */
    private static CompletionStage<RedisURI> credentialsAtHand(RedisURI uri) {
        RedisCredentialsProvider provider = uri.getCredentialsProvider();
        boolean atHand = provider instanceof ImmediateRedisCredentialsProvider;
        if (atHand || provider.supportsStreaming() || !uri.getSentinels().isEmpty()) {
            return CompletableFuture.completedStage(uri);
        }
        return provider.resolveCredentials().toFuture().thenApply(credentials -> {
            RedisURI copy = RedisURI.builder(uri).build();
            copy.setCredentialsProvider(new StaticCredentialsProvider(credentials));
            return copy;
        });
    }

    private synchronized RedisClient begin() {
        if (closed) {
            throw endpoint.closed();
        }
        // Lettuce's timer would forget an interrupt when it is started here.
        RedisClient known = client == null ? BlockingConnections.uninterrupted(factory) : client;
        client = known;
        opening++;
        return known;
    }

    private synchronized void end() {
        opening--;
        shutDownIfIdle();
    }

    /** Closes all connections too, which fails the calls in flight. Does not wait for it. */
    synchronized void close() {
        if (!closed) {
            closed = true;
            shutDownIfIdle();
        }
    }

    /**
     * Lettuce (7.7.0) forgets a connection that is being opened when its client is shut down: the socket stays open for as
     * long as the process lives. So that comes last.
     */
    private synchronized void shutDownIfIdle() {
        if (!closed || opening > 0) {
            return;
        }
        if (client == null) {
            afterShutdown.run();
        } else {
            client.shutdownAsync(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS)
                    .whenComplete((done, failure) -> afterShutdown.run());
        }
    }
}
