package io.keyhold.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Durability;
import io.keyhold.internal.engine.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Clients of one primary that has the markers of 300 slots; {@code arm.lua} is played by this class. */
class QuarantineTest {

    private static final int SLOTS = 300;
    private static final String FIRST = KeyNames.marker(0);
    private static final String LAST = KeyNames.marker(SLOTS - 1);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Durability DURABLE = Durability.replicas(1).withLongestLease(LONGEST);

    private final ManualTime time = new ManualTime();
    /** What is in the markers: the name of a quarantine, or {@link #ARMED}. */
    private final Map<String, String> server = new HashMap<>();

    private static final String ARMED = "armed";
    private long replicas = 1;
    private int slots = SLOTS;
    /** How many batches are executed before the connection is lost. */
    private int batches = Integer.MAX_VALUE;

    private int calls;
    private int clients;

    private Quarantine client(Durability durability) {
        List<String> all = IntStream.range(0, SLOTS).mapToObj(KeyNames::marker).toList();
        DurableMarkers markers =
                DurableMarkers.ofPrimary(() -> IntStream.range(0, slots).boxed().toList());
        assertThat(markers.all()).isEqualTo(all);
        return new Quarantine(
                this::run, markers, "server", "client" + ++clients, new DurableSetup(durability, time, time));
    }

    private CompletionStage<List<DurableGrants.Acknowledged>> run(List<ScriptCall> batch) {
        if (batches-- <= 0) {
            return CompletableFuture.failedStage(new IllegalStateException("the connection is lost"));
        }
        List<DurableGrants.Acknowledged> replies = new ArrayList<>();
        for (ScriptCall call : batch) {
            replies.add(new DurableGrants.Acknowledged(arm(call.bySha1().arguments()), replicas));
            calls++;
        }
        return CompletableFuture.completedStage(replies);
    }

    private List<Object> arm(List<String> parts) {
        String marker = parts.get(2);
        String known = server.getOrDefault(marker, "");
        if (known.equals(ARMED)) {
            return List.of(1L, 1L, 0L);
        }
        boolean over =
                !known.isEmpty() && parts.get(5).equals(known) && Long.parseLong(parts.get(6)) >= LONGEST.toMillis();
        if (over || (known.isEmpty() && parts.get(7).equals("1"))) {
            server.put(marker, ARMED);
            return List.of(1L, 1L, 1L);
        }
        server.putIfAbsent(marker, parts.get(4));
        return List.of(2L, 1L, Objects.requireNonNull(server.get(marker)), LONGEST.toMillis());
    }

    private Quarantine.Status met(Quarantine client, String marker) {
        String name = server.getOrDefault(marker, "");
        return client.met(marker, name.isEmpty() ? "" : "!id " + name + " 30000")
                .toCompletableFuture()
                .join();
    }

    private long armed() {
        return server.values().stream().filter(ARMED::equals).count();
    }

    @Test
    void oneRequestBeginsAndEndsTheQuarantineOfAllSlots() {
        Quarantine client = client(DURABLE);
        assertThat(met(client, LAST)).isEqualTo(new Quarantine.Status(false, 1, LONGEST.toMillis()));
        assertThat(server).hasSize(SLOTS);
        time.pass(LONGEST.minusMillis(1));
        assertThat(met(client, FIRST)).isEqualTo(new Quarantine.Status(false, 1, 1));
        assertThat(armed()).isZero();
        time.pass(Duration.ofMillis(1));
        assertThat(armed()).isEqualTo(SLOTS);
        assertThat(met(client, FIRST).mayGrant()).isTrue();
    }

    @Test
    void clientThatFindsAnotherLeavesTheRestToIt() {
        met(client(DURABLE), LAST);
        calls = 0;
        Quarantine second = client(DURABLE);
        time.pass(Duration.ofSeconds(1));
        assertThat(met(second, LAST).remainingMillis()).isEqualTo(LONGEST.toMillis());
        assertThat(calls).isEqualTo(1);
        server.remove(LAST);
        met(second, LAST); // It begins this one, and then finds the other's.
        assertThat(calls).isLessThan(SLOTS / 2);
    }

    @Test
    void slotsOfClientThatIsGoneAreTakenOver() {
        IntStream.range(0, SLOTS).forEach(slot -> server.put(KeyNames.marker(slot), "gone.1"));
        Quarantine client = client(DURABLE);
        met(client, LAST);
        assertThat(calls).isEqualTo(1);
        time.pass(LONGEST);
        assertThat(armed()).isEqualTo(1);
        time.pass(LONGEST);
        assertThat(armed()).isEqualTo(SLOTS);
    }

    @Test
    void withoutReplicasNothingIsSweptAndNoTimeCounts() {
        replicas = 0;
        Quarantine client = client(DURABLE);
        assertThat(met(client, LAST).replicas()).isZero();
        time.pass(LONGEST);
        assertThat(server).hasSize(1);
        replicas = 1;
        assertThat(met(client, LAST).remainingMillis()).isEqualTo(LONGEST.toMillis());
        assertThat(server).hasSize(SLOTS);
        time.pass(LONGEST);
        assertThat(armed()).isEqualTo(SLOTS);
    }

    @Test
    void newServerIsAdmittedInAllSlotsOnce() {
        Quarantine client = client(DURABLE.withAdmitFreshNodes(true));
        assertThat(met(client, LAST).mayGrant()).isTrue();
        assertThat(armed()).isEqualTo(SLOTS);
        server.clear();
        assertThat(met(client, FIRST).mayGrant()).isFalse();
        assertThat(armed()).isZero();
    }

    /** Its marker was lost on the way, or on the primary from which it comes. */
    @Test
    void slotThatArrivesAfterTheVisitIsNotNew() {
        Quarantine client = client(DURABLE.withAdmitFreshNodes(true));
        assertThat(met(client, LAST).mayGrant()).isTrue();
        slots = SLOTS + 1;
        assertThat(met(client, KeyNames.marker(SLOTS)).mayGrant()).isFalse();
        assertThat(armed()).isEqualTo(SLOTS);
    }

    @Test
    void newServerIsAdmittedWithinTheLongestLeaseIfTheVisitWasCutShort() {
        Quarantine client = client(DURABLE.withAdmitFreshNodes(true));
        batches = 1;
        assertThat(met(client, LAST).mayGrant()).isTrue();
        batches = 1;
        assertThat(armed()).isEqualTo(1);
        time.pass(LONGEST.minusMillis(1));
        assertThat(met(client, FIRST).mayGrant()).isTrue();
        batches = Integer.MAX_VALUE;
        time.pass(Duration.ofMillis(1));
        assertThat(met(client, KeyNames.marker(1)).mayGrant()).isFalse();
        assertThat(armed()).isEqualTo(2);
    }

    @Test
    void markerThatHasGrantedIsNeverNew() {
        Quarantine client = client(DURABLE.withAdmitFreshNodes(true));
        client.notMet(FIRST);
        assertThat(met(client, FIRST).mayGrant()).isFalse();
    }

    /** The second quarantine of a slot counts from its own beginning. */
    @Test
    void quarantineOfAnotherNameBeginsAgain() {
        Quarantine client = client(DURABLE);
        met(client, FIRST);
        time.pass(Duration.ofSeconds(20));
        server.put(FIRST, "other.1");
        assertThat(met(client, FIRST).remainingMillis()).isEqualTo(LONGEST.toMillis());
        time.pass(Duration.ofSeconds(10));
        assertThat(armed()).isEqualTo(SLOTS - 1);
    }
}
