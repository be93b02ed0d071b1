package io.keyhold.lettuce;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.driver.FailoverContract;
import io.keyhold.testkit.driver.IdleReleaseContract;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** Lettuce keeps the contract with an application's client too. */
@Timeout(60)
class LettuceApplicationClientTest implements IdleReleaseContract, FailoverContract {

    private static EmbeddedRedis server;

    private final RedisClient client = RedisClient.create();

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
        return LettuceDriver.using(
                client,
                RedisURI.builder()
                        .withHost(uri.host())
                        .withPort(uri.port())
                        .withTimeout(uri.commandTimeout())
                        .build());
    }

    @AfterEach
    void shutDownClient() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
