package io.keyhold.testkit;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.driver.AccessContract;
import io.keyhold.testkit.driver.CloseContract;
import io.keyhold.testkit.driver.ConcurrencyContract;
import io.keyhold.testkit.driver.ConnectionContract;
import io.keyhold.testkit.driver.FailoverContract;
import io.keyhold.testkit.driver.FailureContract;
import io.keyhold.testkit.driver.IdleReleaseContract;
import io.keyhold.testkit.driver.LaneContract;
import io.keyhold.testkit.driver.ReplyContract;
import io.keyhold.testkit.driver.SessionContract;
import io.keyhold.testkit.driver.SessionFailureContract;
import io.keyhold.testkit.driver.SubscriptionContract;
import io.keyhold.testkit.driver.SubscriptionEndContract;
import io.keyhold.testkit.driver.TlsContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/**
 * All that {@link io.keyhold.spi.RedisDriver} promises, as tests. Authors of drivers extend this class and say
 * how to open one:
 *
 * <pre>{@code
 * class MyDriverTest extends RedisDriverContract {
 *     public RedisDriver open(RedisUri uri) {
 *         return MyDriver.open(uri);
 *     }
 * }
 * }</pre>
 *
 * <p>It runs against a real server, which is started for the class, and which is killed, stopped and cut off during the tests.
 * Where it makes a difference, a test runs in both {@link io.keyhold.spi.CallMode}s. The tests of one class must not
 * run at the same time; those of several classes may.
 *
 * <p>The parts are interfaces in {@code io.keyhold.testkit.driver}, so that a driver for a special case can be held to
 * some of them.
 */
@Timeout(60)
public abstract class RedisDriverContract
        implements ReplyContract,
                ConnectionContract,
                AccessContract,
                TlsContract,
                FailureContract,
                SessionContract,
                SessionFailureContract,
                ConcurrencyContract,
                LaneContract,
                IdleReleaseContract,
                FailoverContract,
                SubscriptionContract,
                SubscriptionEndContract,
                CloseContract {

    private static @Nullable EmbeddedRedis server;

    /** For subclasses. */
    protected RedisDriverContract() {}

    @BeforeAll
    static void startServer() {
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    public EmbeddedRedis server() {
        if (server == null) {
            throw new IllegalStateException("the server runs only while the tests of the class do");
        }
        return server;
    }
}
