package io.keyhold.tests.contract.lock;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;

import io.keyhold.Durability;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.embedded.EmbeddedCluster;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A real cluster of three primaries, for one driver. */
public abstract class RedisClusterUnderTest implements OnRedis {

    /** One for all test classes of this JVM; it ends with the JVM, and every test uses its own keys. */
    private static final class Shared {
        private static final EmbeddedCluster CLUSTER =
                EmbeddedCluster.builder().replicasPerMaster(0).start();
    }

    private final Map<Integer, RedisDriver> outsiders = new ConcurrentHashMap<>();

    /** For subclasses. */
    protected RedisClusterUnderTest() {}

    /** Returns a driver for the server at this URI. */
    protected abstract RedisDriver open(RedisUri uri);

    /** Returns the cluster. */
    protected EmbeddedCluster cluster() {
        return Shared.CLUSTER;
    }

    /** Returns the durability of the clients. */
    protected Durability durability() {
        return Durability.none();
    }

    @AfterEach
    void closeOutsiders() {
        outsiders.values().forEach(RedisDriver::close);
        outsiders.clear();
    }

    @Override
    public KeyholdBuilder client() {
        return client(UnaryOperator.identity());
    }

    @Override
    public final KeyholdBuilder client(UnaryOperator<RedisDriver> around) {
        RedisUri uri = RedisUri.parse(withLongTimeouts(cluster().uri()));
        return Keyhold.builder().durability(durability()).cluster(new RedisCluster() {
            @Override
            public List<RedisAddress> nodes() {
                return uri.addresses();
            }

            @Override
            public RedisDriver open(RedisAddress node) {
                return around.apply(RedisClusterUnderTest.this.open(uri.forServer(node)));
            }

            @Override
            public void close() {}
        });
    }

    @Override
    public final void putForeign(String key, String value, @Nullable Duration expiry) {
        redis(ForeignCommands.put(key, value, expiry));
    }

    @Override
    public void removeForeign(String key) {
        redis(ForeignCommands.remove(key));
    }

    /** Sent to the primary of its key; {@code KEYS} to all. */
    @Override
    public final @Nullable Object redis(RedisCall call) {
        if (!call.command().equals("KEYS")) {
            return on(cluster().masterOf(call.arguments().get(0)), call);
        }
        List<Object> keys = new ArrayList<>();
        for (EmbeddedRedis primary : cluster().masters()) {
            if (on(primary, call) instanceof List<?> found) {
                keys.addAll(found);
            }
        }
        return keys;
    }

    private @Nullable Object on(EmbeddedRedis node, RedisCall call) {
        return outsiders
                .computeIfAbsent(node.port(), port -> open(RedisUri.parse(withLongTimeouts(node.uri()))))
                .call(call, CallMode.BLOCKING)
                .toCompletableFuture()
                .join();
    }
}
