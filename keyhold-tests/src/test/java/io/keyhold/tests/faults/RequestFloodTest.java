package io.keyhold.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Thousands of asynchronous requests for free locks on a distant server. */
@Tag("full")
@Tag("alone")
class RequestFloodTest {

    private static final int MANY = 2_000;

    /** A lease counts from when its request is sent, and not from when it began to wait for the concurrency limit of this client. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void requestsDelayedBeyondTheirLeaseAreGranted(Setup setup) {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                Keyhold keyhold = setup.client(proxy.uri()).build()) {
            proxy.delayReplies(Duration.ofMillis(20));
            List<CompletableFuture<Lease>> requests = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                requests.add(keyhold.lock("key" + i)
                        .with(options -> options.lease(Duration.ofSeconds(1)))
                        .acquireAsync());
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(requests.toArray(CompletableFuture[]::new));
            assertThat(all).succeedsWithin(Duration.ofMinutes(2));
            proxy.heal();
        }
    }
}
