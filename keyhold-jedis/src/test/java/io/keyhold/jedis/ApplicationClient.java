package io.keyhold.jedis;

import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;

/** Clients of an application, with time limits that a busy machine keeps; Jedis would wait for two seconds. */
final class ApplicationClient {

    private static final int LIMIT_MILLIS = 20_000;

    private ApplicationClient() {}

    static RedisClient to(String host, int port) {
        return RedisClient.builder()
                .hostAndPort(host, port)
                .clientConfig(config().build())
                .build();
    }

    static ConnectionPool pool(HostAndPort server) {
        return new ConnectionPool(server, config().build());
    }

    static DefaultJedisClientConfig.Builder config() {
        return DefaultJedisClientConfig.builder().timeoutMillis(LIMIT_MILLIS);
    }
}
