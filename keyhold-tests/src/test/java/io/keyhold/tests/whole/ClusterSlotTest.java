package io.keyhold.tests.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import io.keyhold.tests.contract.lock.Waiters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server in cluster mode refuses a call whose keys are in different slots: it checks the slots of companion keys. */
class ClusterSlotTest {

    private static final List<String> KEYS = List.of(
            "x", "{x}", "{x}y", "x}y", "{x}y}", "x}", "{x}}", "a}b{c", "{a}b{c}", "{}", "{}x", "x{}y", "}{", "{{x}",
            "a{b", "\u20ac}");

    private static final LockOptions STRICT = LockOptions.builder()
            .lease(Duration.ofMinutes(10))
            .renew(true)
            .fairness(Fairness.STRICT)
            .build();

    private static final EmbeddedRedis SERVER =
            EmbeddedRedis.builder().option("cluster-enabled", "yes").start();

    @BeforeAll
    static void serveAllSlots() {
        try (Console console = new Console(SERVER.uri())) {
            console.ask("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
            while (!console.text("CLUSTER", "INFO").contains("cluster_state:ok")) {
                Thread.onSpinWait();
            }
        }
    }

    @BeforeEach
    void forgetEverything() {
        try (Console console = new Console(SERVER.uri())) {
            console.ask("FLUSHALL");
        }
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void companionsAreInSlotOfTheirKey(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(SERVER.uri()).build()) {
            for (String key : KEYS) {
                Lease lease = keyhold.lock(key, STRICT).tryAcquire().orElseThrow();
                assertThat(lease.extend(Duration.ofMinutes(20))).as(key).isTrue();
                assertThat(keyhold.inspect().lock(key).isHeld()).as(key).isTrue();
                assertThat(lease.release()).as(key).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void companionsOfSemaphoresAreInTheSlotOfTheirKey(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(SERVER.uri()).build()) {
            for (String key : KEYS) {
                Lease permit = keyhold.semaphore(key, 2).tryAcquire().orElseThrow();
                assertThat(permit.release()).as(key).isTrue();
            }
        }
    }

    @Test
    void waitersAreInSlotOfTheirKey() throws Exception {
        try (Keyhold first = Setup.JEDIS_SCRIPTS.client(SERVER.uri()).build();
                Keyhold second = Setup.LETTUCE_SCRIPTS.client(SERVER.uri()).build()) {
            for (String key : KEYS) {
                Lease lease = first.lock(key, STRICT).acquire();
                CompletableFuture<Lease> waiter = second.lock(key, STRICT).acquireAsync();
                Waiters.await(first, key, 1);
                assertThat(lease.release()).as(key).isTrue();
                assertThat(waiter.get().release()).as(key).isTrue();
            }
        }
    }
}
