package io.keyhold.lettuce;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisDriverProvider;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.OtherVersion;
import io.keyhold.testkit.RedisDriverFaultContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Lettuce 7.5, which Spring Boot 4.1 has, keeps the contract of faults. The build copies its jar. */
@Tag("full")
class Lettuce75DriverFaultTest extends RedisDriverFaultContract {

    private static final RedisDriverProvider LETTUCE = OtherVersion.load(
            LettuceDriverProvider.class, "io.lettuce", Path.of("target", "versions", "lettuce-core-7.5.2.RELEASE.jar"));

    @Override
    public RedisDriver open(RedisUri uri) {
        return LETTUCE.open(uri);
    }
}
