package io.keyhold.tests.topology;

import io.keyhold.embedded.EmbeddedRedis;
import java.util.Set;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClusterClient;

/** Clients of an application, with time limits that a busy machine keeps; Jedis would wait for two seconds. */
final class PatientJedis {

    static final JedisClientConfig CONFIG =
            DefaultJedisClientConfig.builder().timeoutMillis(20_000).build();

    private PatientJedis() {}

    static HostAndPort address(EmbeddedRedis server) {
        return new HostAndPort(server.host(), server.port());
    }

    static RedisClusterClient ofCluster(EmbeddedRedis node) {
        return RedisClusterClient.builder()
                .nodes(Set.of(address(node)))
                .clientConfig(CONFIG)
                .build();
    }
}
