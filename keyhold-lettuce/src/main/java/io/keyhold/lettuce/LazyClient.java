package io.keyhold.lettuce;

import io.lettuce.core.RedisClient;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A Lettuce client that is made when it is first needed: making one starts a thread. */
final class LazyClient {

    private static final long SHUTDOWN_SECONDS = 1;

    private final Supplier<RedisClient> maker;
    private final Runnable afterwards;
    private @Nullable RedisClient client;
    private boolean closed;

    /** {@code afterwards} is run when the client is closed, whether it was ever made or not. */
    LazyClient(Supplier<RedisClient> maker, Runnable afterwards) {
        this.maker = maker;
        this.afterwards = afterwards;
    }

    /** The client, or null if it was closed. */
    synchronized @Nullable RedisClient get() {
        if (client == null && !closed) {
            client = make();
        }
        return closed ? null : client;
    }

    private RedisClient make() {
        // The timer that is started here forgets that its starter was interrupted.
        boolean interrupted = Thread.interrupted();
        try {
            return maker.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Closes all connections, which fails what is under way on them. Does not wait for it. */
    synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        RedisClient made = client;
        if (made == null) {
            afterwards.run();
        } else {
            made.shutdownAsync(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS).whenComplete((done, failure) -> afterwards.run());
        }
    }
}
