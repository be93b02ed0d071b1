package io.keyhold.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisDriverProvider;
import io.keyhold.spi.RedisUri;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(strings = {"redis-sentinel://u:s3cr3t@h:26379?master=m", "rediss-cluster://u:s3cr3t@h:7000"})
    void sentinelsAndClustersAreRefused(String uri) {
        RedisUri parsed = RedisUri.parse(uri);
        assertThatThrownBy(() -> provider.open(parsed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(" + parsed.address() + ") is not supported by this driver")
                .hasMessageNotContaining("s3cr3t");
        assertThatThrownBy(() -> provider.openAll(List.of(RedisUri.parse("redis://localhost"), parsed)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not supported by this driver");
    }
}
