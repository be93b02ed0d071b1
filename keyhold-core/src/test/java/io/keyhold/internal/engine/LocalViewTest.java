package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.RENEWED;
import static io.keyhold.internal.engine.EngineFixture.STRICT;
import static io.keyhold.internal.engine.EngineFixture.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LocalHolder;
import io.keyhold.inspect.LocalSnapshot;
import io.keyhold.inspect.LocalWaiter;
import io.keyhold.inspect.LocalWaiter.State;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockMode;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What a client says of its own holds and waiters. */
class LocalViewTest {

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();

    @Test
    void holdIsShownWithAllThatIsKnown() throws InterruptedException {
        Instant began = Instant.ofEpochMilli(fixture.time.wallMillis());
        LockOptions named = FIXED.toBuilder().name("invoice").build();
        HeldLease lease = fixture.engine.acquire(ask("a", named));
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(local())
                .containsExactly(new LocalSnapshot(
                        "a",
                        LockKind.LOCK,
                        List.of(new LocalHolder(
                                lease.storedToken(),
                                lease.fencingToken(),
                                LockMode.EXCLUSIVE,
                                1,
                                Optional.of("invoice"),
                                began,
                                Optional.of(lease.remaining()),
                                false,
                                Optional.of(Thread.currentThread().getName()))),
                        List.of()));
        lease.detach();
        assertThat(local().get(0).holders().get(0).thread()).isEmpty();
        lease.release();
        assertThat(local()).isEmpty();
    }

    @Test
    void waitersOfTheLocalQueueAreShownInOrder() {
        Lease held = fixture.acquire("a", RENEWED);
        fixture.request("a", RENEWED);
        fixture.time.pass(Duration.ofSeconds(1));
        fixture.request("a", RENEWED.toBuilder().name("second").build());
        assertThat(waiters()).extracting(LocalWaiter::state).containsOnly(State.LOCAL_QUEUE, State.QUEUED);
        assertThat(waiters()).extracting(LocalWaiter::ahead).containsExactly(OptionalInt.of(0), OptionalInt.of(1));
        assertThat(waiters().get(1).name()).contains("second");
        assertThat(waiters().get(1).waitingSince()).isEqualTo(Instant.ofEpochMilli(fixture.time.wallMillis()));
        assertThat(waiters().get(1).thread()).isEmpty();
        assertThat(fixture.inQueue("a")).as("the server sees one of them").isEqualTo(1);
        held.releaseAsync();
        assertThat(waiters()).extracting(LocalWaiter::ahead).containsExactly(OptionalInt.of(0));
    }

    @Test
    void requestOutsideALocalQueueHasNoPosition() {
        other.acquire("a", RENEWED);
        fixture.request("a", STRICT);
        assertThat(waiters()).extracting(LocalWaiter::state).containsExactly(State.QUEUED);
        assertThat(waiters()).extracting(LocalWaiter::ahead).containsExactly(OptionalInt.empty());
    }

    @Test
    void stateTellsWhatARequestWaitsFor() {
        other.acquire("a", RENEWED);
        fixture.request(
                "a", FIXED.toBuilder().retryInterval(Duration.ofSeconds(1)).build());
        assertThat(waiters()).extracting(LocalWaiter::state).containsExactly(State.POLLING);
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(waiters()).extracting(LocalWaiter::state).containsExactly(State.IN_FLIGHT);
        fixture.store.deliver();
        fixture.store.always = Trouble.NOT_CONNECTED;
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(waiters()).extracting(LocalWaiter::state).containsExactly(State.OUTAGE);
    }

    @Test
    void severalLocksAreShownAtEachKey() {
        other.acquire("b", RENEWED);
        Claim claim = new Claim.Locks(List.of("a", "b"), List.of());
        Subject all = new Subject("a, b", "locks", claim, List.of());
        fixture.engine.acquireAsync(new AcquireSpec(all, RENEWED, WaitPlan.ENDLESS));
        assertThat(local()).extracting(LocalSnapshot::key).containsExactly("a", "b");
        assertThat(local()).allSatisfy(shown -> assertThat(shown.waiters()).hasSize(1));
        assertThat(local().get(0).holders()).as("the part that it has already").hasSize(1);
    }

    @Test
    void permitsAreShown() {
        Claim claim = Claim.Permits.of("gpu", 3, new Limit(4, Limit.IfOther.REFUSE));
        Subject permits = new Subject("gpu", "semaphore 'gpu'", claim, List.of());
        AcquireSpec spec = new AcquireSpec(permits, RENEWED, WaitPlan.ENDLESS);
        fixture.engine.acquireAsync(spec);
        fixture.engine.acquireAsync(spec);
        LocalSnapshot shown = local().get(0);
        assertThat(shown.kind()).isEqualTo(LockKind.SEMAPHORE);
        assertThat(shown.holders()).extracting(LocalHolder::permits).containsExactly(3);
        assertThat(shown.waiters()).extracting(LocalWaiter::permits).containsExactly(3);
        assertThat(shown.waiters()).extracting(LocalWaiter::mode).containsExactly(LockMode.SHARED);
    }

    private List<LocalSnapshot> local() {
        return fixture.engine.local();
    }

    private List<LocalWaiter> waiters() {
        return local().stream().flatMap(shown -> shown.waiters().stream()).toList();
    }
}
