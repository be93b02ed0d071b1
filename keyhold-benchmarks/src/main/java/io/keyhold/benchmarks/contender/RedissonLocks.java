package io.keyhold.benchmarks.contender;

import java.util.List;
import java.util.function.BiFunction;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's locks, with its defaults. */
final class RedissonLocks implements LockClient {
    private final RedissonClient redisson;
    private final BiFunction<RedissonClient, String, RLock> kind;

    private RedissonLocks(RedissonClient redisson, BiFunction<RedissonClient, String, RLock> kind) {
        this.redisson = redisson;
        this.kind = kind;
    }

    static LockClient open(OpenOptions options, BiFunction<RedissonClient, String, RLock> kind) {
        return new RedissonLocks(connect(options), kind);
    }

    static RedissonClient connect(OpenOptions options) {
        Config config = new Config();
        config.useSingleServer().setAddress(options.uri());
        options.renewedLease().ifPresent(lease -> config.setLockWatchdogTimeout(lease.toMillis()));
        return Redisson.create(config);
    }

    @Override
    public LockHandle lock(String key) {
        return LockHandle.of(kind.apply(redisson, key));
    }

    @Override
    public ReadWriteHandles readWriteLock(String key) {
        RReadWriteLock lock = redisson.getReadWriteLock(key);
        return new ReadWriteHandles(LockHandle.of(lock.readLock()), LockHandle.of(lock.writeLock()));
    }

    @Override
    public LockHandle allOf(List<String> keys) {
        return LockHandle.of(
                redisson.getMultiLock(keys.stream().map(redisson::getLock).toArray(RLock[]::new)));
    }

    @Override
    public void close() {
        redisson.shutdown();
    }
}
