package io.keyhold.testkit;

import io.keyhold.testkit.driver.AccessContract;
import io.keyhold.testkit.driver.ConcurrencyContract;
import io.keyhold.testkit.driver.ConnectionContract;
import io.keyhold.testkit.driver.LaneContract;
import io.keyhold.testkit.driver.ReplyContract;
import io.keyhold.testkit.driver.SessionContract;
import io.keyhold.testkit.driver.SubscriptionContract;
import io.keyhold.testkit.driver.TlsContract;
import io.keyhold.testkit.driver.UnreadReplyContract;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What {@link io.keyhold.spi.RedisDriver} promises, as tests; {@link RedisDriverFaultContract} has what it promises when servers and
 * connections fail. Authors of drivers extend both and say how to open one:
 *
 * <pre>{@code
 * class MyDriverTest extends RedisDriverContract {
 *     public RedisDriver open(RedisUri uri) {
 *         return MyDriver.open(uri);
 *     }
 * }
 * }</pre>
 *
 * <p>It runs against a real server, which is started for the class. Where it makes a difference, a test runs in both {@link
 * io.keyhold.spi.CallMode}s. Its tests do not disturb each other, and run at the same time if JUnit is configured
 * to. Those of {@link RedisDriverFaultContract} need a JVM to themselves: they stop their server, and some count the JVM's threads.
 *
 * <p>The parts are interfaces in {@code io.keyhold.testkit.driver}, so that a driver for a special case can be held to
 * some of them.
 */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
public abstract class RedisDriverContract extends DriverTestServer
        implements ReplyContract,
                ConnectionContract,
                AccessContract,
                TlsContract,
                SessionContract,
                ConcurrencyContract,
                LaneContract,
                SubscriptionContract,
                UnreadReplyContract {

    /** For subclasses. */
    protected RedisDriverContract() {}
}
