package io.keyhold.lettuce;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Opens lines to one server. */
final class Dialer {

    private static final int MOST_TRIES = 30;

    private final Endpoint endpoint;
    private final RedisURI uri;
    private final LazyClient client;
    private volatile boolean closed;

    Dialer(Endpoint endpoint, RedisURI uri, LazyClient client) {
        this.endpoint = endpoint;
        this.uri = uri;
        this.client = client;
    }

    /** Opens a line. Fails within the connect timeout, with what the driver's caller is to get. */
    CompletableFuture<Line> dial() {
        CompletableFuture<Line> line = new CompletableFuture<>();
        Stages.within(endpoint.connectTimeout(), Stages.flat(this::connect), StatefulRedisConnection::closeAsync)
                .whenComplete((connection, failure) -> {
                    if (closed) {
                        if (connection != null) {
                            connection.closeAsync();
                        }
                        line.completeExceptionally(Failures.closed(endpoint));
                    } else if (failure != null) {
                        line.completeExceptionally(Failures.whileConnecting(endpoint, failure));
                    } else {
                        line.complete(new Line(connection, endpoint));
                    }
                });
        return line;
    }

    private CompletionStage<StatefulRedisConnection<String, String>> connect() {
        RedisClient lettuce = client.get();
        if (lettuce == null) {
            throw Failures.closed(endpoint);
        }
        return Credentials.atHand(uri).thenCompose(known -> connect(lettuce, known, MOST_TRIES));
    }

    /**
     * Tries again when Lettuce has lost the reason of a failure. It does when the server refuses the password before
     * the calling thread has got round to listening for that: seen with 7.7.0, mostly once in a hundred times, but on
     * several threads also ten times in a row.
     */
    private static CompletionStage<StatefulRedisConnection<String, String>> connect(
            RedisClient lettuce, RedisURI uri, int tries) {
        return lettuce.connectAsync(StringCodec.UTF8, uri)
                .toCompletableFuture()
                .exceptionallyCompose(failure -> tries > 1 && Failures.isWithoutReason(failure)
                        ? connect(lettuce, uri, tries - 1)
                        : CompletableFuture.failedStage(failure));
    }

    /** Closes all lines too. */
    void close() {
        closed = true;
        client.close();
    }
}
