package io.keyhold.lettuce;

import io.lettuce.core.RedisClient;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A Lettuce client that is made when it is first needed: making one starts a thread. */
final class LazyClient {

    private static final long SHUTDOWN_SECONDS = 1;

    private final Supplier<RedisClient> maker;
    private final Threads threads;
    private @Nullable RedisClient client;
    private boolean closed;

    /** Whose the client's threads are. */
    enum Threads {
        /** This client's own: they end with it. */
        OWN,
        /** The application's: they are left alone. */
        SHARED
    }

    LazyClient(Threads threads, Supplier<RedisClient> maker) {
        this.threads = threads;
        this.maker = maker;
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

    /** Closes all connections, which fails what is under way on them, and then ends the threads. Does not wait for it. */
    synchronized void close() {
        RedisClient made = client;
        if (closed || made == null) {
            closed = true;
            return;
        }
        closed = true;
        made.shutdownAsync(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS).whenComplete((done, failure) -> {
            if (threads == Threads.OWN) {
                made.getResources().shutdown(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
            }
        });
    }
}
