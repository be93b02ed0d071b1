package io.keyhold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisDriverProvider;
import io.keyhold.spi.RedisUri;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** How the driver is found, and what it refuses. */
class LettuceDriverProviderTest {

    private final RedisDriverProvider provider = ServiceLoader.load(RedisDriverProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.name().equals("lettuce"))
            .findFirst()
            .orElseThrow();

    @Test
    void itComesAfterJedis() {
        assertThat(provider.order()).isEqualTo(200);
        try (RedisDriver driver = provider.open(RedisUri.parse("redis://localhost"))) {
            assertThat(driver).isInstanceOf(LettuceDriver.class);
        }
    }

    @Test
    @DisabledIfSystemProperty(named = "io.lettuce.core.epoll", matches = "true")
    void unixSocketNamesMissingDependency() {
        assertThatThrownBy(() -> provider.open(RedisUri.parse("redis-socket:///run/redis.sock")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/run/redis.sock")
                .hasMessageContaining("netty-transport-native-epoll");
    }

    @Test
    void oneUriThatIsRefusedOpensNone() {
        List<RedisUri> uris =
                List.of(RedisUri.parse("redis://localhost"), RedisUri.parse("redis-sentinel://h:26379?master=m"));
        assertThatThrownBy(() -> provider.openAll(uris))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not supported by this driver");
    }
}
