package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.STRICT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.internal.engine.TroubledChannel.Messages;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Counterexamples of the model in spec/Queue.tla: entries and locks that are left behind. */
class LeftBehindTest {

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();

    /** spec/Queue-late-keeps-entry.cfg */
    @Test
    void grantAfterRequeueLeavesNoEntry() {
        Lease holder = other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        fixture.store.channel.messages = Messages.HELD_BACK;
        holder.release();
        // The granted lease ends, another client takes the lock, and the poll puts the request into the queue again.
        fixture.time.freeze(Duration.ofSeconds(11));
        Lease later = other.acquire("a", STRICT);
        fixture.time.pass(Duration.ZERO);
        assertThat(fixture.inQueue("a")).as("in the queue again").isEqualTo(1);
        fixture.store.channel.deliver();
        fixture.store.channel.messages = Messages.ARRIVE;
        fixture.time.pass(Duration.ofSeconds(3));
        assertThat(fixture.inQueue("a")).as("one entry for one request").isEqualTo(1);
        later.release();
        assertThat(request).as("the waiter has the lock that was released").isCompleted();
    }

    /** spec/Queue-release-believes-yes.cfg */
    @Test
    void bothRequestsOfUnknownOutcomeAreReleased() {
        fixture.store.troubles.add(Trouble.REPLY_CUT);
        fixture.store.troubles.add(Trouble.REQUEST_LATE);
        assertThatThrownBy(() -> fixture.acquire("a", FIXED)).hasMessageContaining("troubled");
        fixture.time.pass(Duration.ofMillis(50));
        fixture.store.deliver();
        fixture.time.pass(Duration.ofSeconds(3));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    /** spec/Queue-loss-keeps-entry.cfg */
    @Test
    void requestArrivingAfterLossIsReleased() {
        fixture.store.troubles.add(Trouble.REQUEST_LATE_AND_CUT);
        Lease lease = fixture.acquire("a", FIXED);
        fixture.time.pass(Duration.ofMillis(10_050));
        assertThat(lease.isHeld()).isFalse();
        fixture.store.deliver();
        assertThat(fixture.onServer("a")).isPresent();
        fixture.time.pass(Duration.ofSeconds(3));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    /** The simulation found it: a failover, and a request that reaches the new master after its lease. */
    @Test
    void entryIsWithdrawnAfterReplicaRefusedIt() {
        other.acquire("a", LockOptions.builder().noExpiry().build());
        // The first command finds the lock held. The second joins the queue, but late.
        fixture.store.troubles.addAll(List.of(Trouble.NONE, Trouble.REQUEST_LATE));
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        fixture.store.always = Trouble.READ_ONLY;
        request.cancel(false);
        fixture.time.pass(Duration.ofSeconds(20));
        fixture.store.always = Trouble.NONE;
        fixture.store.deliver();
        assertThat(fixture.inQueue("a")).isEqualTo(1);
        fixture.time.pass(Duration.ofSeconds(10));
        assertThat(fixture.inQueue("a")).isZero();
    }
}
