package io.keyhold.benchmarks.contender;

import java.util.List;
import java.util.function.BiFunction;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's locks, with the settings that it has by itself. */
final class RedissonContender implements Contender {
    private final RedissonClient redisson;
    private final BiFunction<RedissonClient, String, RLock> kind;

    private RedissonContender(RedissonClient redisson, BiFunction<RedissonClient, String, RLock> kind) {
        this.redisson = redisson;
        this.kind = kind;
    }

    static Contender open(OpenOptions options, BiFunction<RedissonClient, String, RLock> kind) {
        return new RedissonContender(connect(options), kind);
    }

    static RedissonClient connect(OpenOptions options) {
        Config config = new Config();
        config.useSingleServer().setAddress(options.uri());
        options.renewedLease().ifPresent(lease -> config.setLockWatchdogTimeout(lease.toMillis()));
        return Redisson.create(config);
    }

    @Override
    public ContenderLock lock(String key) {
        return ContenderLock.of(kind.apply(redisson, key));
    }

    @Override
    public ReadWritePair readWriteLock(String key) {
        RReadWriteLock lock = redisson.getReadWriteLock(key);
        return new ReadWritePair(ContenderLock.of(lock.readLock()), ContenderLock.of(lock.writeLock()));
    }

    @Override
    public ContenderLock allOf(List<String> keys) {
        return ContenderLock.of(
                redisson.getMultiLock(keys.stream().map(redisson::getLock).toArray(RLock[]::new)));
    }

    @Override
    public void close() {
        redisson.shutdown();
    }
}
