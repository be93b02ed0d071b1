package io.keyhold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.spi.RedisUri.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUriTest {

    @Test
    void everyPartIsRead() {
        RedisUri uri = RedisUri.parse("redis://app:s%40cret@my_redis:6380/3?driver=lettuce&clientName=billing"
                + "&connectTimeout=500ms&commandTimeout=3s&maxConnections=7");
        assertThat(uri.credentials()).contains(new Credentials("app", "s@cret"));
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
        assertThat(uri.credentials()).isEmpty();
        assertThat(uri.connectTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(uri.commandTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(uri.maxConnections()).isEqualTo(64);
        assertThat(uri.tlsSettings().verifyHostname()).isTrue();
    }

    @Test
    void passwordsWithoutUserAndWithPlusSign() {
        RedisUri uri = RedisUri.parse("redis://:a+b@[::1]:7000");
        assertThat(uri.credentials()).contains(new Credentials(null, "a+b"));
        assertThat(uri.host()).isEqualTo("::1");
        assertThat(uri.port()).isEqualTo(7000);
    }

    @Test
    void encryptedWithTrustStore() {
        RedisUri uri = RedisUri.parse("rediss://host?trustStore=/etc/ca.p12&trustStorePassword=x&verifyHostname=false");
        assertThat(uri.tls()).isTrue();
        assertThat(uri.tlsSettings().text(TlsSettings.TRUST_STORE)).contains("/etc/ca.p12");
        assertThat(uri.tlsSettings().text(TlsSettings.TRUST_STORE_PASSWORD)).contains("x");
        assertThat(uri.tlsSettings().verifyHostname()).isFalse();
    }

    @Test
    void unixSockets() {
        RedisUri uri = RedisUri.parse("redis-socket:///run/redis.sock?db=2");
        assertThat(uri.socket()).contains(Path.of("/run/redis.sock"));
        assertThat(uri.database()).isEqualTo(2);
        assertThat(uri.address()).isEqualTo("/run/redis.sock");
    }

    @Test
    void sentinels() {
        RedisUri uri = RedisUri.parse("redis-sentinel://app:s%40cret@s1,s2:26380,[::1]:26381,[fe80::1%25eth0]/2"
                + "?master=in%26voices&sentinelUser=watch&sentinelPassword=a%3Db+c");
        assertThat(uri.topology()).isEqualTo(Topology.SENTINEL);
        assertThat(uri.addresses())
                .containsExactly(
                        new RedisAddress("s1", 26379),
                        new RedisAddress("s2", 26380),
                        new RedisAddress("::1", 26381),
                        new RedisAddress("fe80::1%eth0", 26379));
        assertThat(uri.masterName()).contains("in&voices");
        assertThat(uri.credentials()).contains(new Credentials("app", "s@cret"));
        assertThat(uri.forSentinel(uri.addresses().get(0)).credentials()).contains(new Credentials("watch", "a=b+c"));
        assertThat(uri.database()).isEqualTo(2);
        assertThat(uri.tls()).isFalse();
        assertThat(uri).hasToString("s1:26379,s2:26380,[::1]:26381,[fe80::1%eth0]:26379/in&voices");
    }

    @Test
    void cluster() {
        RedisUri uri = RedisUri.parse("redis-cluster://:secret@a:7000,b/0?clientName=billing");
        assertThat(uri.topology()).isEqualTo(Topology.CLUSTER);
        assertThat(uri.addresses()).containsExactly(new RedisAddress("a", 7000), new RedisAddress("b", 6379));
        assertThat(uri.masterName()).isEmpty();
        assertThat(uri.credentials()).contains(new Credentials(null, "secret"));
        assertThat(uri.clientName()).contains("billing");
        assertThat(uri).hasToString("a:7000,b:6379");
    }

    @ParameterizedTest
    @CsvSource({
        "redis://h, SINGLE, false, 6379",
        "rediss://h, SINGLE, true, 6379",
        "valkey://h, SINGLE, false, 6379",
        "valkeys://h, SINGLE, true, 6379",
        "redis-sentinel://h?master=m, SENTINEL, false, 26379",
        "rediss-sentinel://h?master=m&trustStore=/a, SENTINEL, true, 26379",
        "redis-cluster://h, CLUSTER, false, 6379",
        "rediss-cluster://h?trustStore=/a, CLUSTER, true, 6379",
        "valkeys-sentinel://h?master=m, SENTINEL, true, 26379",
        "valkey-cluster://h, CLUSTER, false, 6379",
    })
    void schemes(String text, Topology topology, boolean tls, int port) {
        RedisUri uri = RedisUri.parse(text);
        assertThat(uri.topology()).isEqualTo(topology);
        assertThat(uri.tls()).isEqualTo(tls);
        assertThat(uri.addresses()).containsExactly(new RedisAddress("h", port));
    }

    @ParameterizedTest
    @CsvSource({
        "redis-sentinel://u:s3cr3t@s1?master=m&sentinelPassword=s3cr3t, Redis Sentinel (s1:26379/m)",
        "redis-cluster://u:s3cr3t@a:7000, Redis Cluster (a:7000)",
    })
    void severalServersAreNotTakenForOne(String text, String message) {
        RedisUri uri = RedisUri.parse(text).withClientName("other");
        List<ThrowingCallable> calls = List.of(uri::requireSingleServer, uri::host, uri::port);
        assertThat(calls)
                .allSatisfy(call -> assertThatThrownBy(call)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(message + " is not supported by this driver; "
                                + "use the URI of one server, such as redis://host:6379"));
        assertThat(uri.toString()).doesNotContain("s3cr3t");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    http://localhost            | must start with redis://
                    localhost:6379              | must start with redis://
                    redis://                    | names no host
                    redis://a,                  | names no host
                    redis-cluster://a,,b        | names no host
                    redis://a,b                 | names several hosts; write redis-cluster:// for a cluster, redis-sentinel:// for sentinels, or one URI for each server of a quorum
                    rediss://a,b                | names several hosts; write rediss-cluster://
                    valkey://a,b                | names several hosts; write redis-cluster://
                    redis-cluster://a,b,a:6379  | names a:6379 twice
                    redis-cluster://a/1         | has database 1, but a cluster has only database 0
                    redis-cluster://a?db=1      | has database 1, but a cluster has only database 0
                    redis-sentinel://a          | names no master; add ?master=
                    redis-sentinel://a?master=  | has a parameter without a value: 'master'
                    redis-sentinel://a?master=m&sentinelUser=u | has a sentinelUser without a sentinelPassword
                    redis-sentinel://a?master=m&master=n | has the parameter 'master' twice
                    redis-sentinel://a?master=m&trustStore=/a | only rediss-sentinel:// uses TLS
                    redis-cluster://a?trustStore=/a | only rediss-cluster:// uses TLS
                    redis://a?master=m          | has a parameter for sentinels, but only redis-sentinel://
                    redis-cluster://a?sentinelPassword=p | has a parameter for sentinels, but only redis-sentinel://
                    redis://::1                 | has an IPv6 address without brackets; write [::1]:6379
                    redis://[::1                | has an IPv6 address without brackets
                    redis://[host]              | has host '[host]'; it must be a name
                    redis://[::1]x              | has host '[::1]x'; it must be a name
                    redis://a%20b               | has host 'a%20b'; it must be a name
                    redis://ho st               | has host 'ho st'; it must be a name
                    redis://host?a b=1          | is not a URI
                    redis://host?tls            | has a part in its parameters that is not name=value
                    redis://a@b:c@d             | has more than one @; write the credentials once, before the first host
                    redis://host?driver=a=b     | has an = in the value of 'driver', which must be percent-encoded
                    redis://host?=1             | has a part in its parameters that is not name=value
                    redis://:6379               | names no host
                    redis://user:p%FC@host      | has percent-encoded bytes that are not UTF-8
                    redis://host?clientName=%FC | has percent-encoded bytes that are not UTF-8
                    redis://host:0              | has port '0'; it must be a whole number from 1 to 65535
                    redis://host:66000          | has port '66000'
                    redis://host:port           | Redis URI 'redis://host:***' has a port that is not a number; write redis://host:6379, or redis://user:password@host:6379
                    redis://host:               | it must be a whole number from 1 to 65535
                    redis-cluster://a:7000,::1  | Redis URI 'redis-cluster://a:7000,::1' has an IPv6 address without brackets
                    redis://host/one            | has database 'one'
                    redis://user@host           | names a user without a password
                    redis://host?comandTimeout=1s | has an unknown parameter 'comandTimeout'; known are driver
                    redis://host?commandTimeout=fast | which is not a duration such as 500ms
                    redis://host?commandTimeout=0ms | must be from 1ms to 1 hour
                    redis://host?verifyHostname=maybe | must be true or false
                    redis://host?driver= | has a parameter without a value: 'driver'
                    redis://host?trustStore=/a | only rediss:// uses TLS
                    redis://host?caFile=/a&certFile=/b&keyFile=/c | has caFile, certFile, keyFile, but only rediss:// uses TLS
                    rediss://host?caFile=/a&trustStore=/b | has both caFile and trustStore
                    rediss://host?certFile=/a   | has a certFile without a keyFile
                    rediss://host?keyFile=/a    | has a keyFile without a certFile
                    rediss://host?certFile=/a&keyFile=/b&keyStore=/c | has both keyStore and certFile or keyFile
                    rediss://host?keyStorePassword=x | has a keyStorePassword without a keyStore
                    valkey://a,b                | names several hosts; write redis-cluster://
                    redis-socket:// | is not a URI
                    redis-socket:/// | names no socket
                    """)
    void mistakesAreNamed(String text, String message) {
        assertThatThrownBy(() -> RedisUri.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://user:s3cr3t@host:bad",
                "redis://user:s3cr3t with space@host",
                "redis://user:s3cr3t#x@host",
                "redis://user:s3cr3t/x@host",
                "redis://user:x?s3cr3t@host",
                "redis://user:a@s3cr3t@host:70000",
                "rediss://host?trustStorePassword=s3cr3t&what=1",
                "rediss://host?keyStorePassword=s3cr3t&what=1",
                "redis-sentinel://user:s3cr3t@a,b",
                "redis-sentinel://a?sentinelPassword=s3cr3t",
                "redis-sentinel://a?master=m&sentinelPassword=x&s3cr3t",
                "redis-sentinel://a?master=m&sentinelPasswort=s3cr3t",
                "redis-sentinel://a?master=m&sentinelPassword=%zzs3cr3t",
                "redis-sentinel://a?master=m&sentinelPassword=x#s3cr3t",
                "redis-cluster://user:s3cr3t@a,user:s3cr3t@b",
                "redis-cluster://user:s3cr3t@a/7",
                "redis://user:s3cr3t@a,b",
                "redis://user:s3cr3t@a,user:s3cr3t@b",
                "redis-sentinel://a?master=m&driver=x;sentinelPassword=s3cr3t",
                "user:s3cr3t@host",
                "redis://user:s3cr3t%FC@host",
                "user:s3cr3t",
                "redis://:s3cr3t",
                "redis://user:s3cr3t",
                "redis://user:s3cr3t:6379",
                "redis://user:s3cr3t/0",
                "redis-cluster://user:s3cr3t,b",
                "redis-sentinel://a,user:s3cr3t?master=m",
            })
    void noMessageShowsPassword(String text) {
        assertThatThrownBy(() -> RedisUri.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContain("s3cr3t");
    }
}
