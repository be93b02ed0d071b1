package io.keyhold.jedis;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisDriverProvider;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.OtherVersion;
import io.keyhold.testkit.RedisDriverFaultContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Jedis 7.4, which Spring Boot 4.1 has, keeps the contract of faults. The build copies its jar. */
@Tag("full")
class Jedis74DriverFaultTest extends RedisDriverFaultContract {

    private static final RedisDriverProvider JEDIS = OtherVersion.load(
            JedisDriverProvider.class, "redis.clients", Path.of("target", "versions", "jedis-7.4.1.jar"));

    @Override
    public RedisDriver open(RedisUri uri) {
        return JEDIS.open(uri);
    }
}
