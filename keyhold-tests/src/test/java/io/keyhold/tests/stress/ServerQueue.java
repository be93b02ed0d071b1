package io.keyhold.tests.stress;

import io.keyhold.tests.Console;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Those who wait for a lock or for permits, as the server knows them. */
final class ServerQueue {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Console console;
    private final String queue;

    ServerQueue(Console console, String key) {
        this(console, key, "queue");
    }

    private ServerQueue(Console console, String key, String companion) {
        this.console = console;
        this.queue = "{" + key + "}:kh:" + companion;
    }

    static ServerQueue forPermits(Console console, String key) {
        return new ServerQueue(console, key, "waiters");
    }

    long length() {
        return Long.parseLong(console.text("LLEN", queue));
    }

    /** Returns when exactly so many wait; none means that the server has no queue any more. */
    void await(long length) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (length() != length) {
            if (System.nanoTime() > end) {
                throw new AssertionError(queue + " has " + length() + " entries and not " + length + ": "
                        + console.text("LRANGE", queue, "0", "20"));
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
