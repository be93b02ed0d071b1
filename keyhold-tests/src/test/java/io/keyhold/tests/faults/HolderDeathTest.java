package io.keyhold.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The process of a holder is killed: the next waiter gets the lock when the lease ends, and not before. The tests mostly wait, so
 * several run at a time.
 */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class HolderDeathTest {

    private static final String KEY = "invoice:42";

    /** So long that it does not end before its holder is killed, even if the machine stalls for some seconds. */
    private static final Duration LEASE = Duration.ofSeconds(8);

    @ParameterizedTest
    @EnumSource(Setup.class)
    void lockIsFreeWhenLeaseEnds(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            Process holder = start(setup, server);
            long fence = Long.parseLong(firstLine(holder));
            assertThat(keyhold.lock(KEY).tryAcquire()).isEmpty();

            holder.destroyForcibly();
            assertThat(holder.waitFor(20, TimeUnit.SECONDS)).isTrue();
            // It is no longer renewed, so from here the expiry on the server is final.
            long endsAt = console.micros() + 1000 * Long.parseLong(console.text("PTTL", KEY));
            Lease next = keyhold.lock(KEY).acquire();

            Instant since = keyhold.inspect()
                    .lock(KEY)
                    .holder()
                    .orElseThrow()
                    .heldSince()
                    .orElseThrow();
            long grantedAt = since.getEpochSecond() * 1_000_000 + since.getNano() / 1000;
            assertThat(grantedAt).isGreaterThanOrEqualTo(endsAt - 2_000);
            assertThat(next.fencingToken()).isGreaterThan(fence);
        }
    }

    private static Process start(Setup setup, EmbeddedRedis server) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        setup.name(),
                        server.uri())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static String firstLine(Process process) throws Exception {
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        assertThat(line).as("fencing token of the holder").isNotNull();
        return line;
    }

    /** The process that is killed. */
    static final class Holder {

        private Holder() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] arguments) throws Exception {
            Keyhold keyhold = Setup.valueOf(arguments[0]).client(arguments[1]).build();
            Lease lease = keyhold.lock(
                            KEY, LockOptions.builder().lease(LEASE).renew(true).build())
                    .acquire();
            System.out.println(lease.fencingToken());
            System.out.flush();
            Thread.currentThread().join();
        }
    }
}
