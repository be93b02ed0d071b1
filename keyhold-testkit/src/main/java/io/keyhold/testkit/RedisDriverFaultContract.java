package io.keyhold.testkit;

import io.keyhold.testkit.driver.CloseContract;
import io.keyhold.testkit.driver.FailoverContract;
import io.keyhold.testkit.driver.FailureContract;
import io.keyhold.testkit.driver.IdleReleaseContract;
import io.keyhold.testkit.driver.SessionFailureContract;
import io.keyhold.testkit.driver.SubscriptionEndContract;
import org.junit.jupiter.api.Timeout;

/**
 * What {@link io.keyhold.spi.RedisDriver} promises when servers and connections fail, as tests, beside {@link RedisDriverContract}.
 * The server is killed, stopped and cut off during the tests.
 */
@Timeout(180)
public abstract class RedisDriverFaultContract extends DriverTestServer
        implements FailureContract,
                SessionFailureContract,
                IdleReleaseContract,
                FailoverContract,
                SubscriptionEndContract,
                CloseContract {

    /** For subclasses. */
    protected RedisDriverFaultContract() {}
}
