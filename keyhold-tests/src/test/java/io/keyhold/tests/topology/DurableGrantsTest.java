package io.keyhold.tests.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.DistributedLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Durability;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedReplicas;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Grants that replicas acknowledge, on real masters with two replicas. The tests mostly wait, so several run at a time. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class DurableGrantsTest {

    private static final String KEY = "invoice:42";
    private static final String MARKER = "keyhold:kh:durable";
    private static final Duration LONGEST = Duration.ofSeconds(4);
    /** How long a waiter of an impatient client waits. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static final Duration TIME_LIMIT = Duration.ofMinutes(1);

    /** Replicas of a busy machine may take long. */
    private static final Durability PATIENT =
            Durability.replicas(1).withLongestLease(LONGEST).withAcknowledgeTimeout(Duration.ofSeconds(15));

    /** For replicas that are paused. */
    private static final Durability IMPATIENT = PATIENT.withAcknowledgeTimeout(Duration.ofMillis(200));

    private static KeyholdBuilder client(EmbeddedRedis server, Durability durability) {
        return client(Setup.JEDIS_SCRIPTS, server, durability);
    }

    private static KeyholdBuilder client(Setup setup, EmbeddedRedis server, Durability durability) {
        LockOptions defaults = LockOptions.builder().lease(LONGEST).renew(true).build();
        return setup.client(server.uri()).durability(durability).defaults(defaults);
    }

    private static DistributedLock lock(Keyhold keyhold) {
        return keyhold.lock(KEY).with(options -> options.fairness(Fairness.STRICT));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TIME_LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("within " + TIME_LIMIT).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Replicas of a busy machine may take longer than an impatient client waits. */
    private static Lease acquired(Callable<Optional<Lease>> attempt) throws Exception {
        List<Lease> leases = new ArrayList<>();
        await(() -> {
            try {
                attempt.call().ifPresent(leases::add);
            } catch (StoreRefusedException late) {
                return false;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            return !leases.isEmpty();
        });
        return leases.get(0);
    }

    private static String onServer(EmbeddedRedis server, String command, String... arguments) {
        try (Console console = new Console(server.uri())) {
            return console.text(command, arguments);
        }
    }

    private static void awaitFree(EmbeddedRedis server, String key) throws InterruptedException {
        await(() -> onServer(server, "EXISTS", key).equals("0"));
    }

    private static void assertNoReplicas(@Nullable Throwable failure, String key) {
        assertThat(failure)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll(
                        key, "0 of 1 replicas of Redis at ", "acknowledged it within 200 ms", "docs/durability.md")
                .hasFieldOrPropertyWithValue("code", "NOREPLICAS");
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void grantWithoutReplicaIsGivenBackAndRefused(Setup setup) throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start();
                Keyhold keyhold = client(setup, servers.master(), IMPATIENT.withAdmitFreshNodes(true))
                        .build()) {
            EmbeddedRedis master = servers.master();
            List<EmbeddedRedis> replicas = servers.replicas();
            acquired(() -> keyhold.lock("other").tryAcquire());
            replicas.forEach(EmbeddedRedis::pause);
            assertNoReplicas(
                    catchThrowableOfType(
                            StoreRefusedException.class, () -> lock(keyhold).tryAcquire()),
                    KEY);
            awaitFree(master, KEY);
            assertNoReplicas(
                    catchThrowableOfType(
                            StoreRefusedException.class,
                            () -> keyhold.semaphore("gpu", 2).tryAcquire()),
                    "gpu");
            awaitFree(master, "gpu");
            assertNoReplicas(
                    catchThrowableOfType(
                            StoreRefusedException.class,
                            () -> keyhold.allOf("a", "b").tryAcquire()),
                    "'a'");
            awaitFree(master, "a");
            replicas.forEach(EmbeddedRedis::resume);
            acquired(() -> lock(keyhold).tryAcquire());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void renewalThatNoReplicaHasDoesNotCount(Setup setup) throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start();
                Keyhold keyhold = client(setup, servers.master(), PATIENT.withAdmitFreshNodes(true))
                        .build()) {
            Lease lock = lock(keyhold).acquire();
            Lease permit = keyhold.semaphore("gpu", 2).acquire();
            servers.replicas().forEach(EmbeddedRedis::pause);
            for (Lease lease : List.of(lock, permit)) {
                LeaseLost loss = lease.lost().toCompletableFuture().get(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.UNREACHABLE);
            }
        }
    }

    /** The releasing client's own waiter would get its grant with the reply, another's by a message. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    @Tag("full")
    void handOverCountsWhenReplicasHaveIt(boolean isLock, boolean ofSameClient) throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start();
                Keyhold keyhold = client(servers.master(), PATIENT.withAdmitFreshNodes(true))
                        .build();
                Keyhold impatient = client(servers.master(), IMPATIENT).build();
                Console console = new Console(servers.master().uri())) {
            Keyhold releasing = ofSameClient ? impatient : keyhold;
            keyhold.lock("other").acquire().release(); // The server is admitted.
            Lease held = acquired(() ->
                    isLock ? lock(releasing).tryAcquire() : permits(releasing).tryAcquire());
            CompletableFuture<Lease> waiting = isLock
                    ? lock(impatient).with(options -> options.maxWait(WAIT)).acquireAsync()
                    : permits(impatient).acquireAsync();
            (isLock ? new ServerQueue(console, KEY) : ServerQueue.forPermits(console, KEY)).await(1);
            servers.replicas().forEach(EmbeddedRedis::pause);
            held.release();
            Throwable failure =
                    catchThrowableOfType(ExecutionException.class, waiting::get).getCause();
            assertNoReplicas(failure, KEY);
            awaitFree(servers.master(), KEY);
        }
    }

    private static DistributedSemaphore permits(Keyhold keyhold) {
        return keyhold.semaphore(KEY, 1).with(options -> options.maxWait(WAIT));
    }

    @Test
    void handedOverHoldIsAcknowledged() throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start();
                Keyhold keyhold = client(
                                servers.master(),
                                Durability.replicas(2)
                                        .withAcknowledgeTimeout(Duration.ofSeconds(15))
                                        .withAdmitFreshNodes(true))
                        .build();
                Console console = new Console(servers.master().uri())) {
            DistributedLock lock = keyhold.lock(KEY).with(options -> options.fairness(Fairness.STRICT));
            Lease held = lock.acquire();
            CompletableFuture<Lease> waiting = lock.acquireAsync();
            new ServerQueue(console, KEY).await(1);
            held.release();
            Lease next = waiting.get(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
            for (EmbeddedRedis replica : servers.replicas()) {
                assertThat(onServer(replica, "GET", KEY)).startsWith(next.token() + " ");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void serverWithoutMarkerGrantsAfterLongestLease(Setup setup) throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start()) {
            List<Keyhold> clients = new ArrayList<>();
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < 3; i++) {
                Keyhold keyhold = client(setup, servers.master(), PATIENT).build();
                clients.add(keyhold);
                if (i == 0) {
                    assertThat(lock(keyhold).tryAcquire()).isEmpty();
                }
                waiting.add(lock(keyhold).acquireAsync());
                waiting.add(keyhold.semaphore("gpu", 1).acquireAsync());
            }
            Lease first = (Lease) CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new))
                    .get(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(LONGEST);
            assertThat(first.isHeld()).isTrue();
            for (CompletableFuture<Lease> each : waiting) { // All are served, one by one.
                each.thenAccept(Lease::releaseAsync);
            }
            for (CompletableFuture<Lease> each : waiting) {
                each.get(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            clients.forEach(Keyhold::close);
        }
    }

    /** The grant is on one replica only, and the other one is promoted: WAIT alone would let two in. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void staleReplicaGrantsAfterLastLeaseOfFormerMaster(Setup setup) throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start()) {
            EmbeddedRedis former = servers.master();
            EmbeddedRedis stale = servers.replicas().get(0);
            try (Keyhold holder = client(setup, former, PATIENT.withAdmitFreshNodes(true))
                            .build();
                    Keyhold keyhold = client(setup, stale, PATIENT.withAdmitFreshNodes(true))
                            .build()) {
                onServer(stale, "REPLICAOF", "NO", "ONE");
                Lease held = holder.lock(KEY)
                        .with(options -> options.lease(LONGEST).renew(false))
                        .acquire();
                former.pause();
                servers.promote(stale);
                assertThat(onServer(stale, "EXISTS", KEY)).isEqualTo("0");
                assertThat(lock(keyhold).tryAcquire()).isEmpty();
                Lease next = lock(keyhold).acquire();
                assertThat(held.isHeld()).isFalse();
                assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
                assertThat(onServer(stale, "GET", MARKER)).matches("[0-9a-f]{40}");
            } finally {
                former.resume();
            }
        }
    }

    /** Demoted and promoted again: a new incarnation, with all keys of the former one. */
    @Test
    @Tag("full")
    void survivingHoldIsRenewedDuringQuarantine() throws Exception {
        Durability durability = PATIENT.withLongestLease(Duration.ofSeconds(20));
        try (EmbeddedReplicas servers = EmbeddedReplicas.start()) {
            EmbeddedRedis master = servers.master();
            try (Keyhold holder =
                            client(master, durability.withAdmitFreshNodes(true)).build();
                    Keyhold keyhold = client(master, durability).build()) {
                Lease held = holder.lock(KEY)
                        .with(options ->
                                options.lease(durability.longestLease()).renew(true))
                        .acquire();
                EmbeddedRedis replica = servers.replicas().get(0);
                // The other one may have acknowledged the grant before it.
                await(() -> onServer(replica, "EXISTS", KEY).equals("1"));
                servers.promote(replica);
                servers.promote(master);
                assertThat(keyhold.lock("free").tryAcquire()).isEmpty();
                assertThat(onServer(master, "GET", MARKER)).startsWith("!");
                CompletableFuture<Lease> next = keyhold.lock(KEY).acquireAsync();
                await(() -> !onServer(master, "GET", MARKER).startsWith("!"));
                assertThat(held.isHeld()).isTrue();
                assertThat(held.isHeldOnServer()).isTrue();
                assertThat(next).isNotDone();
                assertThat(held.release()).isTrue();
                assertThat(next.get(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS).fencingToken())
                        .isGreaterThan(held.fencingToken());
            }
        }
    }

    @Test
    void lostDataBeginsQuarantine() throws Exception {
        Durability durability = PATIENT.withLongestLease(Duration.ofSeconds(10)).withAdmitFreshNodes(true);
        try (EmbeddedReplicas servers = EmbeddedReplicas.start();
                Keyhold keyhold = client(servers.master(), durability).build()) {
            lock(keyhold).acquire().release();
            long start = System.nanoTime();
            onServer(servers.master(), "FLUSHALL");
            assertThat(lock(keyhold).tryAcquire())
                    .as("this client knew the marker")
                    .isEmpty();
            assertThatThrownBy(() -> lock(keyhold)
                            .with(options -> options.maxWait(Duration.ofMillis(50)))
                            .acquire())
                    .isInstanceOf(AcquireTimeoutException.class)
                    .hasMessageContainingAll("has lost its data", "grants nothing for another ");
            Lease lease = lock(keyhold).acquire();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(durability.longestLease());
            assertThat(lease.release()).isTrue();
        }
    }

    @Test
    void leaseLongerThanLongestIsRefused() {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start();
                Keyhold keyhold = client(servers.master(), PATIENT.withAdmitFreshNodes(true))
                        .build()) {
            Lease lease = lock(keyhold).tryAcquire().orElseThrow();
            assertThatThrownBy(() -> keyhold.lock("b", LockOptions.defaults()).tryAcquire())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("lease must be at most longestLease (4 s) with durability by replicas, was 30 s");
            assertThatThrownBy(() -> keyhold.lock("b")
                            .with(options -> options.noExpiry())
                            .tryAcquire())
                    .hasMessageEndingWith("was unlimited");
            assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(5))).hasMessageEndingWith("was 5 s");
            assertThatThrownBy(() -> lease.releaseAfter(Duration.ofSeconds(5))).hasMessageEndingWith("was 5 s");
            assertThat(lease.extend(Duration.ofSeconds(3))).isTrue();
            assertThat(lease.releaseAfter(Duration.ofSeconds(3))).isTrue();
        }
    }

    @Test
    void restThatNoReplicaHasIsReported() throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start();
                Keyhold keyhold = client(servers.master(), PATIENT.withAdmitFreshNodes(true))
                        .build();
                Keyhold impatient = client(servers.master(), IMPATIENT).build()) {
            keyhold.lock("other").acquire().release(); // The server is admitted.
            Lease lease = acquired(() -> lock(impatient).tryAcquire());
            servers.replicas().forEach(EmbeddedRedis::pause);
            assertNoReplicas(
                    catchThrowableOfType(StoreRefusedException.class, () -> lease.releaseAfter(Duration.ofSeconds(3))),
                    KEY);
        }
    }

    /** Also where the lease of the hold is longer, so that the adoption has nothing to prolong. */
    @Test
    void adoptionThatNoReplicaHasIsRefusedAndLeavesHold() throws Exception {
        Durability longer = PATIENT.withLongestLease(Duration.ofMinutes(10));
        try (EmbeddedReplicas servers = EmbeddedReplicas.start();
                Keyhold keyhold = client(servers.master(), longer.withAdmitFreshNodes(true))
                        .build();
                Keyhold impatient = client(servers.master(), longer.withAcknowledgeTimeout(Duration.ofMillis(200)))
                        .build()) {
            String token = lock(keyhold)
                    .with(options -> options.lease(Duration.ofMinutes(10)))
                    .acquire()
                    .detach()
                    .token();
            servers.replicas().forEach(EmbeddedRedis::pause);
            DistributedLock shorter = lock(impatient).with(options -> options.lease(Duration.ofMinutes(1)));
            assertNoReplicas(catchThrowableOfType(StoreRefusedException.class, () -> shorter.adopt(token)), KEY);
            assertThat(onServer(servers.master(), "GET", KEY)).startsWith(token + " ");
        }
    }

    @Test
    void scriptsThatServerForgotAreSentAgain() throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start();
                Keyhold keyhold = client(servers.master(), PATIENT.withAdmitFreshNodes(true))
                        .build()) {
            for (int i = 0; i < 2; i++) {
                onServer(servers.master(), "SCRIPT", "FLUSH");
                Lease lease = lock(keyhold).acquire();
                assertThat(lease.extend(LONGEST)).isTrue();
                assertThat(lease.release()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void serverThatForbidsWaitIsNamed(Setup setup) throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start();
                Keyhold admitting = client(servers.master(), PATIENT.withAdmitFreshNodes(true))
                        .build()) {
            lock(admitting).acquire().release();
            onServer(servers.master(), "ACL", "SETUSER", "default", "-wait");
            try (Keyhold keyhold = client(setup, servers.master(), PATIENT).build()) {
                assertThatThrownBy(() -> lock(keyhold).acquire())
                        .isInstanceOf(StoreRefusedException.class)
                        .hasMessageContaining("durability by replicas needs WAIT")
                        .extracting(failure -> ((StoreRefusedException) failure).code())
                        .isEqualTo("NOPERM");
                awaitFree(servers.master(), KEY);
            }
        }
    }
}
