package io.keyhold.benchmarks.contender;

import java.util.concurrent.TimeUnit;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;

/** Redisson's semaphores, with its defaults. */
final class RedissonSemaphores implements LockClient {

    /** As long as Keyhold's; without a lease, a permit would be lost for ever with its process. */
    private static final long LEASE_SECONDS = 30;

    private final RedissonClient redisson;
    private final Kind kind;

    /** Creates a handle of one of the two kinds. */
    interface Kind {
        LockHandle of(RedissonClient redisson, String key, int permits);
    }

    private RedissonSemaphores(RedissonClient redisson, Kind kind) {
        this.redisson = redisson;
        this.kind = kind;
    }

    static LockClient open(OpenOptions options, Kind kind) {
        return new RedissonSemaphores(RedissonLocks.connect(options), kind);
    }

    @Override
    public LockHandle semaphore(String key, int permits) {
        return kind.of(redisson, key, permits);
    }

    /** Returns a permit of the counter, which knows no holders: the permits of a process that died are lost. */
    static LockHandle counting(RedissonClient redisson, String key, int permits) {
        RSemaphore semaphore = redisson.getSemaphore(key);
        semaphore.trySetPermits(permits); // Of no effect if another thread has done it.
        return new LockHandle() {
            @Override
            public void acquire() throws InterruptedException {
                semaphore.acquire();
            }

            @Override
            public void release() {
                semaphore.release();
            }
        };
    }

    /** Returns a permit with a lease, as Keyhold's have, which is not renewed. */
    static LockHandle expirable(RedissonClient redisson, String key, int permits) {
        RPermitExpirableSemaphore semaphore = redisson.getPermitExpirableSemaphore(key);
        semaphore.trySetPermits(permits);
        return new LockHandle() {
            private String permit = "";

            @Override
            public void acquire() throws InterruptedException {
                permit = semaphore.acquire(LEASE_SECONDS, TimeUnit.SECONDS);
            }

            @Override
            public void release() {
                semaphore.release(permit);
            }
        };
    }

    @Override
    public void close() {
        redisson.shutdown();
    }
}
