package io.keyhold.benchmarks.contender;

import java.util.function.BiFunction;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson with the settings that it has by itself. */
final class RedissonContender implements Contender {
    private final RedissonClient redisson;
    private final BiFunction<RedissonClient, String, RLock> kind;

    private RedissonContender(RedissonClient redisson, BiFunction<RedissonClient, String, RLock> kind) {
        this.redisson = redisson;
        this.kind = kind;
    }

    static Contender open(OpenOptions options, BiFunction<RedissonClient, String, RLock> kind) {
        Config config = new Config();
        config.useSingleServer().setAddress(options.uri());
        options.renewedLease().ifPresent(lease -> config.setLockWatchdogTimeout(lease.toMillis()));
        return new RedissonContender(Redisson.create(config), kind);
    }

    @Override
    public ContenderLock lock(String key) {
        return ContenderLock.of(kind.apply(redisson, key));
    }

    @Override
    public void close() {
        redisson.shutdown();
    }
}
