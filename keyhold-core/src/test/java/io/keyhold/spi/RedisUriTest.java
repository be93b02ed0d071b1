package io.keyhold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisUriTest {

    @Test
    void everyPartIsRead() {
        RedisUri uri = RedisUri.parse("redis://app:s%40cret@my_redis:6380/3?driver=lettuce&clientName=billing"
                + "&connectTimeout=500ms&commandTimeout=3s&maxConnections=7");
        assertThat(uri.user()).contains("app");
        assertThat(uri.password()).contains("s@cret");
        assertThat(uri.host()).isEqualTo("my_redis");
        assertThat(uri.port()).isEqualTo(6380);
        assertThat(uri.database()).isEqualTo(3);
        assertThat(uri.driver()).contains("lettuce");
        assertThat(uri.clientName()).contains("billing");
        assertThat(uri.connectTimeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(uri.commandTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(uri.maxConnections()).isEqualTo(7);
        assertThat(uri.tls()).isFalse();
        assertThat(uri.toString()).isEqualTo("my_redis:6380");
    }

    @Test
    void missingPartsHaveDefaults() {
        RedisUri uri = RedisUri.parse("redis://localhost");
        assertThat(uri.port()).isEqualTo(6379);
        assertThat(uri.database()).isZero();
        assertThat(uri.user()).isEmpty();
        assertThat(uri.password()).isEmpty();
        assertThat(uri.connectTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(uri.commandTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(uri.maxConnections()).isEqualTo(64);
        assertThat(uri.verifyHostname()).isTrue();
    }

    @Test
    void passwordsWithoutUserAndWithPlusSign() {
        RedisUri uri = RedisUri.parse("redis://:a+b@[::1]:7000");
        assertThat(uri.user()).isEmpty();
        assertThat(uri.password()).contains("a+b");
        assertThat(uri.host()).isEqualTo("::1");
        assertThat(uri.port()).isEqualTo(7000);
    }

    @Test
    void encryptedWithTrustStore() {
        RedisUri uri = RedisUri.parse("rediss://host?trustStore=/etc/ca.p12&trustStorePassword=x&verifyHostname=false");
        assertThat(uri.tls()).isTrue();
        assertThat(uri.trustStore()).contains(Path.of("/etc/ca.p12"));
        assertThat(uri.trustStorePassword()).contains("x");
        assertThat(uri.verifyHostname()).isFalse();
    }

    @Test
    void unixSockets() {
        RedisUri uri = RedisUri.parse("redis-socket:///run/redis.sock?db=2");
        assertThat(uri.socket()).contains(Path.of("/run/redis.sock"));
        assertThat(uri.database()).isEqualTo(2);
        assertThat(uri.address()).isEqualTo("/run/redis.sock");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    http://localhost            | must start with redis://
                    localhost:6379              | must start with redis://
                    redis://                    | is not a URI
                    redis://:6379               | names no host
                    redis://host:0              | has port '0'; it must be a whole number from 1 to 65535
                    redis://host:66000          | has port '66000'
                    redis://host:port           | has port 'port'
                    redis://host/one            | has database 'one'
                    redis://user@host           | names a user without a password
                    redis://host?comandTimeout=1s | has an unknown parameter 'comandTimeout'; known are driver
                    redis://host?commandTimeout=fast | which is not a duration such as 500ms
                    redis://host?commandTimeout=0ms | must be from 1ms to 1 hour
                    redis://host?verifyHostname=maybe | must be true or false
                    redis://host?driver= | has a parameter without a value: 'driver'
                    redis://host?trustStore=/a | only rediss:// uses one
                    redis-socket:// | is not a URI
                    redis-socket:/// | names no socket
                    """)
    void mistakesAreNamed(String text, String message) {
        assertThatThrownBy(() -> RedisUri.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "redis://user:s3cr3t@host:bad",
        "redis://user:s3cr3t with space@host",
        "redis://user:s3cr3t#x@host",
        "redis://user:s3cr3t/x@host",
        "redis://user:x?s3cr3t@host",
        "redis://user:a@s3cr3t@host:70000",
        "rediss://host?trustStorePassword=s3cr3t&what=1",
    })
    void noMessageShowsPassword(String text) {
        assertThatThrownBy(() -> RedisUri.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContain("s3cr3t");
    }
}
