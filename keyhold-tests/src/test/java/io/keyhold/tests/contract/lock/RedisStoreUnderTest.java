package io.keyhold.tests.contract.lock;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;

import io.keyhold.CommandStyle;
import io.keyhold.Durability;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A real Redis server, for one driver and one kind of commands. */
public abstract class RedisStoreUnderTest implements OnRedis {

    /** One for all test classes of this JVM; it ends with the JVM, and every test uses its own keys. */
    private static final EmbeddedRedis SERVER = EmbeddedRedis.start();

    private @Nullable RedisDriver outsider;

    /** For subclasses. */
    protected RedisStoreUnderTest() {}

    /** Returns a driver for the server at this URI. */
    protected abstract RedisDriver open(RedisUri uri);

    /** Returns the command style of the store under test. */
    protected abstract CommandStyle commands();

    /** Returns where the server is. */
    protected String uri() {
        return SERVER.uri();
    }

    /** Returns the durability of the clients. */
    protected Durability durability() {
        return Durability.none();
    }

    @BeforeEach
    void openOutsider() {
        outsider = open(RedisUri.parse(withLongTimeouts(uri())));
    }

    @AfterEach
    void closeOutsider() {
        if (outsider != null) {
            outsider.close();
        }
    }

    @Override
    public final KeyholdBuilder client() {
        return client(UnaryOperator.identity());
    }

    @Override
    public final KeyholdBuilder client(UnaryOperator<RedisDriver> around) {
        return Keyhold.builder()
                .driver(around.apply(open(RedisUri.parse(withLongTimeouts(uri())))))
                .durability(durability())
                .commands(commands());
    }

    @Override
    public final void putForeign(String key, String value, @Nullable Duration expiry) {
        redis(ForeignCommands.put(key, value, expiry));
    }

    @Override
    public final void removeForeign(String key) {
        redis(ForeignCommands.remove(key));
    }

    @Override
    public final @Nullable Object redis(RedisCall call) {
        if (outsider == null) {
            throw new IllegalStateException("only during a test");
        }
        return outsider.call(call, CallMode.BLOCKING).toCompletableFuture().join();
    }
}
