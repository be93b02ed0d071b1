package io.keyhold.tests.whole;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.redis.ScriptStore;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisUri;
import io.keyhold.tests.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Many holds are renewed by one call: each gets its own lease, whether or not all are of the same length. */
class RenewalBatchTest {

    private static final long SHORT = 1_000_000;
    private static final long LONG = 3_000_000;
    private static final long LONGEST = 9_000_000;

    private static Stream<Arguments> batches() {
        Function<String, Claim> lock = Claim.Lock::new;
        Function<String, Claim> permit = key -> Claim.Permits.of(key, 1, new Limit(2, Limit.IfOther.REFUSE));
        return Stream.of(lock, permit)
                .flatMap(kind -> Stream.of(
                        Arguments.of(kind, List.of(LONG)),
                        Arguments.of(kind, List.of(LONG, LONG, LONG)),
                        Arguments.of(kind, List.of(LONG, LONGEST, LONG)),
                        Arguments.of(kind, List.of(LONGEST, LONG)),
                        Arguments.of(kind, List.of(AcquireRequest.NO_EXPIRY, LONG))));
    }

    @ParameterizedTest
    @MethodSource("batches")
    void eachHoldGetsItsLease(Function<String, Claim> kind, List<Long> leases) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                JedisDriver driver = JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri())))) {
            ScriptStore store = new ScriptStore(driver, "client");
            List<RenewRequest> renewals = new ArrayList<>();
            for (int i = 0; i < leases.size(); i++) {
                Claim claim = kind.apply("key" + i);
                get(store.acquire(
                        new AcquireRequest(
                                claim, "token" + i, SHORT, AcquireRequest.IfFree.TAKE, AcquireRequest.IfBusy.GO_AWAY),
                        CallMode.BLOCKING,
                        () -> {}));
                renewals.add(new RenewRequest(claim, "token" + i, leases.get(i)));
            }

            assertThat(get(store.renew(renewals, CallMode.BLOCKING)))
                    .hasSameSizeAs(leases)
                    .allMatch(HoldReply.Done.class::isInstance);
            for (int i = 0; i < leases.size(); i++) {
                long expected = Math.max(SHORT, leases.get(i)); // A question leaves the lease as it is.
                assertThat(Long.parseLong(console.text("PTTL", "key" + i))).isBetween(expected / 2, expected + 1000);
            }
        }
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get();
    }
}
