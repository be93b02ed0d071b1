package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.QuorumOptions;
import io.keyhold.spi.RedisUri;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How options and the environment variable name servers. */
final class ConnectionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://a                                         | redis://a",
                "redis://a,redis://b, rediss://c                   | redis://a rediss://c redis://b",
                "redis-sentinel://s1:26379,s2:26379/0?master=x     | redis-sentinel://s1:26379,s2:26379/0?master=x",
                "redis-cluster://a:7000,b:7000                     | redis-cluster://a:7000,b:7000",
                "redis://:a,b@host,redis://c                       | redis://:a,b@host redis://c",
                "redis://a, ,,valkey://b,                          | redis://a valkey://b",
                "' , '                                             | ''"
            })
    void commaInFrontOfSchemeSeparatesUris(String value, String uris) {
        assertThat(Connection.uris(value))
                .containsExactlyInAnyOrder(uris.isEmpty() ? new String[0] : uris.split(" ", -1));
    }

    @Test
    void noVariableNamesNoServer() {
        assertThat(Connection.uris(null)).isEmpty();
    }

    @Test
    void uriNamesTopology() {
        assertThat(to("redis://a").topology()).isEqualTo(RedisUri.Topology.SINGLE);
        assertThat(to("redis-sentinel://s1,s2?master=x").topology()).isEqualTo(RedisUri.Topology.SENTINEL);
        assertThat(to("redis-cluster://a,b").topology()).isEqualTo(RedisUri.Topology.CLUSTER);
    }

    @Test
    void quorumIsOfSingleServers() {
        assertThatThrownBy(() -> to("redis://a", "redis://b", "redis-sentinel://s1,s2?master=x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("s1:26379,s2:26379/x");
    }

    @Test
    void filesForTlsBecomeParameters() {
        Map<String, String> files =
                new TreeMap<>(Map.of("caFile", "/my ca.pem", "certFile", "c.pem", "keyFile", "k&y.pem"));
        assertThat(Connection.withFiles("rediss://a", files))
                .isEqualTo("rediss://a?caFile=%2Fmy%20ca.pem&certFile=c.pem&keyFile=k%26y.pem");
        assertThat(Connection.withFiles("rediss://a?db=1", files)).startsWith("rediss://a?db=1&caFile=");
        assertThat(Connection.withFiles("redis://a", Map.of())).isEqualTo("redis://a");
    }

    @Test
    void filesForTlsNeedServer() {
        Map<String, String> files = Map.of("caFile", "ca.pem");
        assertThatThrownBy(() -> Connection.named(List.of(), true, files))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("--redis rediss://host:6379");
    }

    private static Connection to(String... uris) {
        return new Connection(Connection.named(List.of(uris), false, Map.of()), QuorumOptions.defaults(), false);
    }
}
