package io.keyhold.benchmarks.contender;

import java.util.concurrent.TimeUnit;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;

/** Redisson's semaphores, with the settings that it has by itself. */
final class RedissonSemaphores implements Contender {

    /** As long as Keyhold's; without one, a permit would be gone for ever with its process. */
    private static final long LEASE_SECONDS = 30;

    private final RedissonClient redisson;
    private final Kind kind;

    /** One of the two. */
    interface Kind {
        ContenderLock of(RedissonClient redisson, String key, int permits);
    }

    private RedissonSemaphores(RedissonClient redisson, Kind kind) {
        this.redisson = redisson;
        this.kind = kind;
    }

    static Contender open(OpenOptions options, Kind kind) {
        return new RedissonSemaphores(RedissonContender.connect(options), kind);
    }

    @Override
    public ContenderLock semaphore(String key, int permits) {
        return kind.of(redisson, key, permits);
    }

    /** A counter: nobody knows who has a permit, and it does not come back by itself. */
    static ContenderLock counting(RedissonClient redisson, String key, int permits) {
        RSemaphore semaphore = redisson.getSemaphore(key);
        semaphore.trySetPermits(permits); // Of no effect if another thread has done it.
        return new ContenderLock() {
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

    /** Permits with a lease, as Keyhold's have, which is not renewed. */
    static ContenderLock expirable(RedissonClient redisson, String key, int permits) {
        RPermitExpirableSemaphore semaphore = redisson.getPermitExpirableSemaphore(key);
        semaphore.trySetPermits(permits);
        return new ContenderLock() {
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
