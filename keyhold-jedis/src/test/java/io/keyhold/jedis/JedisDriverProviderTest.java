package io.keyhold.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisDriverProvider;
import io.keyhold.spi.RedisUri;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** How the driver is found, and what it refuses. */
class JedisDriverProviderTest {

    private final RedisDriverProvider provider = ServiceLoader.load(RedisDriverProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.name().equals("jedis"))
            .findFirst()
            .orElseThrow();

    @Test
    void itComesFirst() {
        assertThat(provider.order()).isEqualTo(100);
        try (RedisDriver driver = provider.open(RedisUri.parse("redis://localhost"))) {
            assertThat(driver).isInstanceOf(JedisDriver.class);
        }
    }

    @Test
    void unixSocketIsRefusedWithAlternative() {
        assertThatThrownBy(() -> provider.open(RedisUri.parse("redis-socket:///run/redis.sock")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/run/redis.sock")
                .hasMessageContaining("?driver=lettuce");
    }
}
