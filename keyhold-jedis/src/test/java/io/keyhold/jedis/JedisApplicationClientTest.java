package io.keyhold.jedis;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.driver.FailoverContract;
import io.keyhold.testkit.driver.IdleReleaseContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.RedisClient;

/** Jedis keeps those parts of the contract with the connections of an application that do not need connections of its own. */
@Timeout(60)
class JedisApplicationClientTest implements IdleReleaseContract, FailoverContract {

    private static EmbeddedRedis server;

    private final List<RedisClient> clients = new ArrayList<>();

    @BeforeAll
    static void startServer() {
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    public EmbeddedRedis server() {
        return server;
    }

    @Override
    public RedisDriver open(RedisUri uri) {
        RedisClient client = RedisClient.builder()
                .hostAndPort(uri.host(), uri.port())
                .clientConfig(
                        new ConnectionSettings(uri, (int) uri.connectTimeout().toMillis()))
                .build();
        clients.add(client);
        return JedisDriver.using(client);
    }

    @AfterEach
    void closeClients() {
        clients.forEach(RedisClient::close);
    }
}
