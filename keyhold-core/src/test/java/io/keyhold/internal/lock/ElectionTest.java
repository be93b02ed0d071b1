package io.keyhold.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.ElectionOptions;
import io.keyhold.Fairness;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LockHolder;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.EngineFixture;
import io.keyhold.internal.engine.ManualTime;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.Undeclared;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Candidates whose time, store and callbacks are the test's. */
class ElectionTest {

    private static final String ROLE = "boss";
    private static final LockOptions CANDIDATE = LockOptions.builder()
            .lease(Duration.ofSeconds(30))
            .renew(true)
            .fairness(Fairness.STRICT)
            .build();
    private static final ElectionOptions OPTIONS = ElectionOptions.defaults();

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();
    private final List<String> events = new ArrayList<>();

    /** Creates a candidate that tells the events of its election behind this name. */
    private Election candidate(EngineFixture client, String name) {
        LockKey role = LockKey.of("", ROLE);
        Election election = new Election(
                client.engine, role, new AcquireSpec(role, CANDIDATE, WaitPlan.ENDLESS), OPTIONS, closed -> {});
        election.onElected(token -> events.add(name + " elected")).onRevoked(() -> events.add(name + " revoked"));
        return election;
    }

    private Election startedCandidate(EngineFixture client, String name) {
        Election election = candidate(client, name);
        election.stand();
        return election;
    }

    private long leaderOnServer() {
        return fixture.onServer(ROLE)
                .map(LockHolder::fencingToken)
                .orElseThrow()
                .orElseThrow();
    }

    @Test
    void resignedCandidateQueuesBehindOthers() {
        Election one = startedCandidate(fixture, "one");
        Election two = startedCandidate(other, "two");
        Election three = startedCandidate(fixture, "three");
        long first = one.fencingToken().orElseThrow();
        assertThat(first).isEqualTo(leaderOnServer());
        assertThat(one.resign()).isTrue();
        assertThat(two.isLeader()).isTrue();
        assertThat(two.fencingToken().orElseThrow()).isGreaterThan(first);
        assertThat(one.isLeader() || three.isLeader()).isFalse();
        assertThat(one.fencingToken()).isEmpty();
        assertThat(one.resign()).isFalse();
        fixture.time.pass(Duration.ofMillis(200));
        two.resign();
        three.resign();
        assertThat(one.isLeader()).isTrue();
        assertThat(events)
                .containsExactly(
                        "one elected",
                        "one revoked",
                        "two elected",
                        "two revoked",
                        "three elected",
                        "three revoked",
                        "one elected");
    }

    @Test
    void unreachableStoreRevokesBeforeNextElection() {
        Election one = startedCandidate(fixture, "one");
        Election two = startedCandidate(other, "two");
        two.onElected(token -> events.add("one leads: " + one.isLeader()));
        fixture.store.always = Trouble.NOT_CONNECTED;
        fixture.time.pass(Duration.ofSeconds(31));
        assertThat(two.isLeader()).isTrue();
        assertThat(events).containsExactly("one elected", "one revoked", "two elected", "one leads: false");
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofMinutes(1));
        two.close();
        assertThat(one.isLeader()).as("it is a candidate again").isTrue();
    }

    @Test
    void lostLeadershipIsSoughtAgain() {
        Election one = startedCandidate(fixture, "one");
        long before = one.fencingToken().orElseThrow();
        fixture.store.server.forceRelease(ROLE, CallMode.BLOCKING);
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(events).containsExactly("one elected", "one revoked", "one elected");
        assertThat(one.fencingToken().orElseThrow()).isGreaterThan(before);
    }

    @Test
    void lockIsHeldUntilRevokedListenersReturn() {
        Election one = startedCandidate(fixture, "one");
        startedCandidate(other, "two");
        long token = one.fencingToken().orElseThrow();
        one.onRevoked(() -> {
            assertThat(one.isLeader()).isFalse();
            events.add(leaderOnServer() == token ? "still held" : "too late");
        });
        one.close();
        assertThat(events).containsExactly("one elected", "one revoked", "still held", "two elected");
    }

    @Test
    void closeWithdrawsCandidate() {
        Election one = startedCandidate(fixture, "one");
        Election two = startedCandidate(other, "two");
        two.close();
        assertThat(fixture.inQueue(ROLE)).isZero();
        one.close();
        one.close();
        assertThat(fixture.onServer(ROLE)).isEmpty();
        assertThat(events).containsExactly("one elected", "one revoked");
        assertThat(one.resign()).isFalse();
        fixture.time.pass(Duration.ofMinutes(10));
        assertThat(fixture.count("acquire")).isEqualTo(1);
    }

    @Test
    void grantAfterCloseIsReleased() {
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        Election one = startedCandidate(fixture, "one");
        one.close();
        assertThat(fixture.onServer(ROLE)).isPresent();
        fixture.store.deliver();
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(fixture.onServer(ROLE)).isEmpty();
        assertThat(one.isLeader()).isFalse();
        assertThat(events).isEmpty();
    }

    @Test
    void throwingElectionListenerStopsNothing() {
        Election one = candidate(fixture, "one");
        one.onElected(token -> {
            throw new IllegalStateException("elected");
        });
        one.onRevoked(() -> {
            throw new AssertionError("revoked");
        });
        one.onElected(token -> Undeclared.ioException());
        one.onRevoked(Undeclared::ioException);
        one.onElected(token -> events.add("told after it"));
        one.stand();
        assertThat(one.isLeader()).isTrue();
        one.resign();
        fixture.time.pass(Duration.ofMillis(200));
        assertThat(one.isLeader()).as("it is the only candidate").isTrue();
        assertThat(events)
                .containsExactly("one elected", "told after it", "one revoked", "one elected", "told after it");
    }

    @Test
    void laterListenerIsNotifiedOfLeadership() {
        Election one = startedCandidate(fixture, "one");
        one.onElected(token -> events.add("late " + (token == leaderOnServer())));
        assertThat(events).containsExactly("one elected", "late true");
    }

    @Test
    void listenerMayResignAndClose() {
        Election one = candidate(fixture, "one");
        Election two = candidate(other, "two");
        one.onElected(token -> assertThat(one.resign()).isTrue());
        two.onElected(token -> {
            two.close();
            events.add("closed");
        });
        two.stand();
        assertThat(events).containsExactly("two elected", "closed", "two revoked");
        startedCandidate(other, "three");
        one.stand();
        assertThat(events).hasSize(4).endsWith("three elected");
    }

    @Test
    void refusingStoreIsRetriedWithBackoff() {
        fixture.store.always = Trouble.REFUSED;
        Election one = startedCandidate(fixture, "one");
        fixture.time.pass(Duration.ofSeconds(1 + 2 + 4).plusMillis(1));
        assertThat(fixture.count("acquire")).isEqualTo(4);
        fixture.time.pass(Duration.ofMinutes(10));
        long asked = fixture.count("acquire");
        assertThat(asked).isBetween(20L, 30L);
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofSeconds(32));
        assertThat(one.isLeader()).isTrue();
        assertThat(events).containsExactly("one elected");
    }

    @Test
    void closeDuringPauseEndsCandidacy() {
        fixture.store.always = Trouble.REFUSED;
        Election one = startedCandidate(fixture, "one");
        one.close();
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofMinutes(1));
        assertThat(fixture.count("acquire")).isEqualTo(1);
        assertThat(events).isEmpty();
    }

    /** Callbacks that run when the test says so: another thread that is late. */
    static final class LateCallbacks {

        final Deque<Runnable> waiting = new ArrayDeque<>();
        final EngineFixture client = new EngineFixture(new ManualTime(), waiting::add);

        void run() {
            while (!waiting.isEmpty()) {
                waiting.remove().run();
            }
        }
    }

    @Test
    void slowRevokedListenerKeepsLockUntilTimeout() {
        LateCallbacks late = new LateCallbacks();
        Election one = startedCandidate(late.client, "one");
        late.run();
        CompletableFuture<Void> ended = one.end();
        late.client.time.pass(OPTIONS.revokedTimeout().minusMillis(1));
        assertThat(late.client.onServer(ROLE)).isPresent();
        assertThat(ended).isNotDone();
        late.client.time.pass(Duration.ofMillis(1));
        assertThat(late.client.onServer(ROLE)).isEmpty();
        assertThat(ended).isCompleted();
        assertThat(events).containsExactly("one elected");
        late.run();
        assertThat(events).containsExactly("one elected", "one revoked");
    }

    @Test
    void leaseIsRenewedDuringListeners() {
        LateCallbacks late = new LateCallbacks();
        LockKey role = LockKey.of("", ROLE);
        Election one = new Election(
                late.client.engine,
                role,
                new AcquireSpec(role, CANDIDATE, WaitPlan.ENDLESS),
                ElectionOptions.builder().revokedTimeout(Duration.ofMinutes(5)).build(),
                closed -> {});
        one.stand();
        late.run();
        one.end();
        late.client.time.pass(Duration.ofMinutes(4));
        assertThat(late.client.onServer(ROLE)).isPresent();
        late.run();
        assertThat(late.client.onServer(ROLE)).isEmpty();
    }

    @Test
    void electionLostBeforeNoticeIsNotNotified() {
        LateCallbacks late = new LateCallbacks();
        Election one = candidate(late.client, "one");
        late.run();
        one.stand();
        late.waiting.remove().run(); // The grant. The notice of it is waiting.
        assertThat(one.isLeader()).isTrue();
        one.end();
        late.run();
        assertThat(events).isEmpty();
        assertThat(late.client.onServer(ROLE)).isEmpty();
    }

    @Test
    void grantNotifiedAfterCloseIsReleased() {
        LateCallbacks late = new LateCallbacks();
        Election one = candidate(late.client, "one");
        late.run();
        one.stand();
        one.end();
        late.run();
        assertThat(events).isEmpty();
        assertThat(late.client.onServer(ROLE)).isEmpty();
    }

    @Test
    void lossDuringResignationIsNotifiedOnce() {
        LateCallbacks late = new LateCallbacks();
        Election one = startedCandidate(late.client, "one");
        late.run();
        late.client.store.always = Trouble.NOT_CONNECTED;
        late.client.time.pass(Duration.ofSeconds(31));
        assertThat(one.isLeader()).as("although no callback has run").isFalse();
        one.end();
        late.run();
        assertThat(events).containsExactly("one elected", "one revoked");
    }

    @Test
    void resignationAfterLossReturnsFalse() {
        Election one = startedCandidate(fixture, "one");
        fixture.store.always = Trouble.NOT_CONNECTED;
        fixture.time.pass(Duration.ofSeconds(31));
        assertThat(one.resign()).isFalse();
        assertThat(events).containsExactly("one elected", "one revoked");
    }
}
