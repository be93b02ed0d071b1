package io.keyhold.tests.whole;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One client holds and renews ten thousand locks. */
@Tag("full")
@Tag("alone")
class ManyLeasesTest {

    private static final int LEASES = 10_000;
    private static final int AT_A_TIME = 250;
    /** A busy machine may need many seconds to renew them all. */
    private static final Duration LEASE = Duration.ofSeconds(20);

    /** Returns when the first ("min") or the last ("max") of them would end. */
    private static final String END = """
            local found = redis.call('PEXPIRETIME', 'many:0')
            for i = 1, ARGV[2] - 1 do
                found = math[ARGV[1]](found, redis.call('PEXPIRETIME', 'many:' .. i))
            end
            return found
            """;

    /** Each driver and each kind of commands once; the other pairs would only repeat it. */
    @ParameterizedTest
    @EnumSource(
            value = Setup.class,
            names = {"JEDIS_SCRIPTS", "LETTUCE_TRANSACTIONS"})
    void tenThousandLeasesAreRenewedAndNoneIsLost(Setup setup) throws Exception {
        undisturbed(() -> {
            LockOptions options = LockOptions.builder().lease(LEASE).renew(true).build();
            try (EmbeddedRedis server = EmbeddedRedis.start();
                    Console console = new Console(server.uri());
                    Keyhold keyhold = setup.client(server.uri(), "commandTimeout=5s", "connectTimeout=20s")
                            .build()) {
                List<Lease> leases = new ArrayList<>();
                for (int first = 0; first < LEASES; first += AT_A_TIME) {
                    List<CompletableFuture<Lease>> requests = IntStream.range(first, first + AT_A_TIME)
                            .mapToObj(i -> keyhold.lock("many:" + i, options).acquireAsync())
                            .toList();
                    requests.forEach(request -> leases.add(request.join()));
                }
                long lastEnd = end(console, "max");
                while (end(console, "min") <= lastEnd) {
                    TimeUnit.MILLISECONDS.sleep(100);
                }
                assertThat(leases).allMatch(Lease::isHeld);
                assertThat(Integer.parseInt(console.text("DBSIZE"))).isBetween(LEASES, LEASES + 16_384);
            }
        });
    }

    private static long end(Console console, String which) {
        long end = Long.parseLong(console.text("EVAL", END, "0", which, Integer.toString(LEASES)));
        assertThat(end).as("PTTL; -2 means that a lock is gone").isPositive();
        return end;
    }
}
