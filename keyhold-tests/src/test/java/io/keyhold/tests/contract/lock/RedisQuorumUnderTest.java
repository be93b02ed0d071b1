package io.keyhold.tests.contract.lock;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.QuorumOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A quorum of three real Redis servers, for one driver. Foreign clients write to all of them. */
public abstract class RedisQuorumUnderTest implements StoreUnderTest {

    /** Long, because no contract is about slow nodes, and a busy machine can slow down any of them. */
    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(10);

    /** As long as the longest lease of any contract. */
    private static final Duration LONGEST_LEASE = Duration.ofMinutes(10);

    private List<RedisDriver> outsiders = List.of();

    /** For subclasses. */
    protected RedisQuorumUnderTest() {}

    /** For all test classes of this JVM; they end with the JVM, and every test uses its own keys. */
    private static final class Servers {
        static final List<EmbeddedRedis> ALL =
                Stream.generate(EmbeddedRedis::start).limit(3).toList();
    }

    /** Returns a driver for the server at this URI. */
    protected abstract RedisDriver open(RedisUri uri);

    @BeforeEach
    void openOutsiders() {
        outsiders = drivers();
    }

    @AfterEach
    void closeOutsiders() {
        outsiders.forEach(RedisDriver::close);
    }

    @Override
    public final KeyholdBuilder client() {
        return Keyhold.builder()
                .quorumOfDrivers(
                        drivers(),
                        QuorumOptions.builder()
                                .admitFreshNodes(true)
                                .nodeTimeout(NODE_TIMEOUT)
                                .longestLease(LONGEST_LEASE)
                                .build());
    }

    @Override
    public final int nodes() {
        return Servers.ALL.size();
    }

    @Override
    public final void putForeign(String key, String value, @Nullable Duration expiry) {
        redis(ForeignCommands.put(key, value, expiry));
    }

    @Override
    public final void removeForeign(String key) {
        redis(ForeignCommands.remove(key));
    }

    private List<RedisDriver> drivers() {
        return Servers.ALL.stream()
                .map(server -> open(RedisUri.parse(withLongTimeouts(server.uri()))))
                .toList();
    }

    private void redis(RedisCall call) {
        outsiders.forEach(outsider ->
                outsider.call(call, CallMode.BLOCKING).toCompletableFuture().join());
    }
}
