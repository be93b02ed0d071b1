package io.keyhold.testkit;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.driver.DriverUnderTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The server of a test class, which runs while its tests do. {@link RedisDriverContract} and {@link RedisDriverFaultContract} extend
 * it, and so may a test of a driver for a special case, which is held to some parts of the contract.
 */
public abstract class DriverTestServer implements DriverUnderTest {

    private static @Nullable EmbeddedRedis server;

    /** For subclasses. */
    protected DriverTestServer() {}

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
