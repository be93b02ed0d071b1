package io.keyhold.benchmarks.contender;

import java.time.Duration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's registry on the connection factory of Spring Boot: Lettuce, one shared connection. */
final class SpringLocks implements LockClient {
    /** The prefix of every key. */
    static final String REGISTRY = "benchmark";

    private final LettuceConnectionFactory connections;
    private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
    private final RedisLockRegistry registry;

    private SpringLocks(OpenOptions options, RedisLockType type) {
        connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(options.host(), options.port()));
        connections.afterPropertiesSet();
        connections.start();
        registry = options.renewedLease()
                .map(this::renewing)
                .orElseGet(() -> new RedisLockRegistry(connections, REGISTRY));
        registry.setRedisLockType(type);
    }

    private RedisLockRegistry renewing(Duration lease) {
        RedisLockRegistry renewing = new RedisLockRegistry(connections, REGISTRY, lease.toMillis());
        scheduler.initialize();
        renewing.setRenewalTaskScheduler(scheduler);
        return renewing;
    }

    static LockClient open(OpenOptions options, RedisLockType type) {
        return new SpringLocks(options, type);
    }

    @Override
    public LockHandle lock(String key) {
        return LockHandle.of(registry.obtain(key));
    }

    @Override
    public void close() {
        registry.destroy();
        scheduler.shutdown();
        connections.destroy();
    }
}
