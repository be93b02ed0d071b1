package io.keyhold.tests;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Those who wait for a lock or for permits, as the server knows them. */
public final class ServerQueue {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Console console;
    private final String queue;

    /** Of a lock. */
    public ServerQueue(Console console, String key) {
        this(console, key, "queue");
    }

    private ServerQueue(Console console, String key, String companion) {
        this.console = console;
        this.queue = "{" + key + "}:kh:" + companion;
    }

    /** Of a semaphore or a read/write lock. */
    public static ServerQueue forPermits(Console console, String key) {
        return new ServerQueue(console, key, "waiters");
    }

    /** Returns how many wait. */
    public long length() {
        return Long.parseLong(console.text("LLEN", queue));
    }

    /** Returns when exactly so many wait; none means that the server has no queue any more. */
    public void await(long length) throws InterruptedException {
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
