package io.keyhold.benchmarks.contender;

/** The minimum of a lock: SET NX PX, and a script that compares and deletes. Waits by polling every millisecond. */
abstract class RawLock implements LockHandle {
    static final long LEASE_MILLIS = 30_000;

    /** Deletes the key if it still has the token. */
    static final String COMPARE_AND_DELETE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

    private static final long POLL_MILLIS = 1;

    private long holds;
    private String token = "";

    @Override
    public final void acquire() throws InterruptedException {
        token = Thread.currentThread().getName() + ":" + ProcessHandle.current().pid() + ":" + ++holds;
        while (!set(token)) {
            Thread.sleep(POLL_MILLIS);
        }
    }

    @Override
    public final void release() {
        if (!deleteIfStill(token)) {
            throw new IllegalStateException("the lock was lost: " + token);
        }
    }

    abstract boolean set(String token);

    abstract boolean deleteIfStill(String token);
}
