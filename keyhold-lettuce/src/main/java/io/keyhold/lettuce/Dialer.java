package io.keyhold.lettuce;

import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.Stages;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Opens lines to one server. */
final class Dialer {

    private static final int MOST_TRIES = 30;

    private final Endpoint endpoint;
    private final RedisURI uri;
    private final LazyClient client;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger generations = new AtomicInteger();
    private volatile boolean closed;

    /** Lettuce has one class of connections for calls and one for listening, and one method for each. */
    private interface Kind<C> {
        /** Starts to open one. */
        CompletionStage<C> connect(RedisClient lettuce, RedisCodec<String, String> codec, RedisURI uri);
    }

    Dialer(Endpoint endpoint, RedisURI uri, LazyClient client) {
        this.endpoint = endpoint;
        this.uri = uri;
        this.client = client;
    }

    /** Opens a line. Fails within the connect timeout, with what the driver's caller is to get. */
    CompletableFuture<Line> dial() {
        Generation generation =
                new Generation(generations); // Not later: it may connect to the server that is given up.
        return open(RedisClient::connectAsync, connection -> new Line(connection, endpoint, generation));
    }

    /** As {@link #dial}, for a connection to listen on. */
    CompletableFuture<Inbox> dialToListen(RedisListener listener) {
        return open(
                RedisClient::connectPubSubAsync, connection -> new Inbox(connection, endpoint, listener, () -> closed));
    }

    private <C extends StatefulRedisConnection<String, String>, T> CompletableFuture<T> open(
            Kind<C> kind, Function<C, T> use) {
        CompletableFuture<T> opened = new CompletableFuture<>();
        opened.whenComplete((value, failure) -> end());
        underWay.incrementAndGet(); // First, so that the client is not closed between the question and the opening.
        if (closed) {
            opened.completeExceptionally(DriverFailures.closed(endpoint.address()));
            return opened;
        }
        Timeouts.within(endpoint.connectTimeout(), Stages.flat(() -> connect(kind)), C::closeAsync)
                .whenComplete((connection, failure) -> {
                    if (closed) {
                        if (connection != null) {
                            Line.close(connection);
                        }
                        opened.completeExceptionally(DriverFailures.closed(endpoint.address()));
                    } else if (failure != null) {
                        opened.completeExceptionally(Failures.whileConnecting(endpoint, failure));
                    } else {
                        opened.complete(use.apply(connection));
                    }
                });
        return opened;
    }

    private <C> CompletionStage<C> connect(Kind<C> kind) {
        RedisClient lettuce = client.get();
        if (lettuce == null) {
            throw DriverFailures.closed(endpoint.address());
        }
        return Credentials.atHand(uri).thenCompose(known -> connect(kind, lettuce, known, MOST_TRIES));
    }

    /**
     * Tries again when Lettuce has lost the reason of a failure. It does when the server refuses the password before
     * the calling thread has got round to listening for that: seen with 7.7.0, mostly once in a hundred times, but on
     * several threads also ten times in a row.
     */
    private static <C> CompletionStage<C> connect(Kind<C> kind, RedisClient lettuce, RedisURI uri, int tries) {
        return kind.connect(lettuce, StringCodec.UTF8, uri)
                .toCompletableFuture()
                .exceptionallyCompose(failure -> tries > 1 && Failures.isWithoutReason(failure)
                        ? connect(kind, lettuce, uri, tries - 1)
                        : CompletableFuture.failedStage(failure));
    }

    /**
     * Closes all connections too. Does not wait for it.
     *
     * <p>Lettuce (7.7.0) forgets a connection that is being opened when its client is shut down: the socket stays open
     * for as long as the process lives. So that comes last.
     */
    void close() {
        underWay.incrementAndGet();
        closed = true;
        end();
    }

    private void end() {
        if (underWay.decrementAndGet() == 0 && closed) {
            client.close();
        }
    }
}
