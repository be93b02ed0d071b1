package io.keyhold.jedis;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.DriverTestServer;
import io.keyhold.testkit.driver.FailoverContract;
import io.keyhold.testkit.driver.IdleReleaseContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

/** Jedis keeps those parts of the contract with the connections of an application that do not need connections of its own. */
@Timeout(180)
@Tag("full")
class JedisApplicationClientTest extends DriverTestServer implements IdleReleaseContract, FailoverContract {

    private final List<RedisClient> clients = new ArrayList<>();

    @Override
    public RedisDriver open(RedisUri uri) {
        RedisClient client = RedisClient.builder()
                .hostAndPort(uri.host(), uri.port())
                .clientConfig(DefaultJedisClientConfig.builder()
                        .timeoutMillis((int) uri.connectTimeout().toMillis())
                        .clientName(uri.clientName().orElse(null))
                        .autoNegotiateProtocol(false)
                        .build())
                .build();
        clients.add(client);
        return JedisDriver.using(client);
    }

    @AfterEach
    void closeClients() {
        clients.forEach(RedisClient::close);
    }
}
