package io.keyhold.tests;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The queue of a lock or of a semaphore on the server. */
public final class ServerQueue {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

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

    /** Returns the number of waiters. */
    public long length() {
        return Long.parseLong(console.text("LLEN", queue));
    }

    /** Returns when exactly this many wait; 0 means that the server no longer has a queue. */
    public void await(long length) throws InterruptedException {
        long end = System.nanoTime() + TIME_LIMIT.toNanos();
        while (length() != length) {
            if (System.nanoTime() > end) {
                throw new AssertionError(queue + " has " + length() + " entries and not " + length + ": "
                        + console.text("LRANGE", queue, "0", "20"));
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
