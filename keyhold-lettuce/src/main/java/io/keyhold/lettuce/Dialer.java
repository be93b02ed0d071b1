package io.keyhold.lettuce;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Opens lines to one server. */
final class Dialer {

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
        return Credentials.atHand(uri).thenCompose(known -> lettuce.connectAsync(StringCodec.UTF8, known));
    }

    /** Closes all lines too. */
    void close() {
        closed = true;
        client.close();
    }
}
