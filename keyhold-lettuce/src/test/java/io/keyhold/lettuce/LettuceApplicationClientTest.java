package io.keyhold.lettuce;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.DriverTestServer;
import io.keyhold.testkit.driver.FailoverContract;
import io.keyhold.testkit.driver.IdleReleaseContract;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Lettuce keeps the contract with an application's client too. */
@Timeout(180)
@Tag("full")
class LettuceApplicationClientTest extends DriverTestServer implements IdleReleaseContract, FailoverContract {

    private final RedisClient client = RedisClient.create();

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
