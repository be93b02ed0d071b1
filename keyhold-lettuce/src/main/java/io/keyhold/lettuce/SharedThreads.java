package io.keyhold.lettuce;

import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Threads for one driver or several: one for input and output, two for timeouts (started when needed) and a timer. They
 * start with the first client and end with the last. One is enough for the connections of a quorum, too: what goes to all
 * nodes at once is written by one wake-up, and not by as many as there are nodes.
 */
final class SharedThreads {

    private static final long SHUTDOWN_SECONDS = 1;

    private @Nullable ClientResources resources;
    private int users;

    synchronized ClientResources get() {
        ClientResources known = resources;
        if (known == null) {
            known = DefaultClientResources.builder()
                    .eventLoopGroupProvider(new DefaultEventLoopGroupProvider(1))
                    .computationThreadPoolSize(DefaultClientResources.MIN_COMPUTATION_THREADS)
                    .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                    .build();
            resources = known;
        }
        return known;
    }

    /** Notes one user more, and returns what ends its use: whether it ever needed a thread or not, and once, however often it is run. */
    synchronized Runnable join() {
        users++;
        AtomicBoolean left = new AtomicBoolean();
        return () -> {
            if (left.compareAndSet(false, true)) {
                leave();
            }
        };
    }

    private synchronized void leave() {
        users--;
        if (users == 0 && resources != null) {
            resources.shutdown(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
        }
    }
}
