package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Permits that rest: whichever request is the head of the queue when the rest ends, it knows of that end. */
class PermitRestTest {

    private static final int PERMITS = 3;

    /** So long that a waiter that goes by it asks after 10 s. */
    private static final LockOptions LONG =
            LockOptions.builder().lease(Duration.ofHours(1)).build();

    private static final LockOptions SHORT =
            LockOptions.builder().lease(Duration.ofMillis(500)).build();
    /** The time in which the first waiter asks after an end. */
    private static final Duration JITTER = Duration.ofMillis(55);

    private final EngineFixture holder = new EngineFixture();
    private final EngineFixture first = holder.anotherClient();
    private final EngineFixture second = holder.anotherClient();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void headAfterFirstRestLearnsOfSecond(boolean sameClient) {
        Lease one = acquired(1, LONG);
        Lease two = acquired(2, LONG);
        CompletableFuture<Lease> head = request(first, 1);
        CompletableFuture<Lease> next = request(sameClient ? first : second, 2);
        one.releaseAfter(Duration.ofMillis(200));
        two.releaseAfter(Duration.ofSeconds(2));
        pass(Duration.ofMillis(200).plus(JITTER));
        assertThat(head).isCompleted();
        assertThat(next).isNotDone();
        pass(Duration.ofMillis(1_800));
        assertThat(next).isCompleted();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void headAfterHandOverLearnsOfRest(boolean sameClient) {
        Lease resting = acquired(2, LONG);
        Lease released = acquired(1, LONG);
        CompletableFuture<Lease> head = request(first, 1);
        CompletableFuture<Lease> next = request(sameClient ? first : second, 2);
        resting.releaseAfter(Duration.ofSeconds(1));
        released.release();
        assertThat(head).isCompleted();
        pass(Duration.ofMillis(999));
        assertThat(next).isNotDone();
        pass(JITTER);
        assertThat(next).isCompleted();
    }

    /** Another hold ends before the rest does, and its end is not enough for the waiter. */
    @Test
    void headAfterWithdrawalLearnsOfRestThatIsNotFirstToEnd() {
        Lease resting = acquired(2, LONG);
        acquired(1, SHORT);
        CompletableFuture<Lease> head = request(first, 3);
        CompletableFuture<Lease> next = request(second, 3);
        resting.releaseAfter(Duration.ofSeconds(1));
        head.cancel(false);
        pass(Duration.ofMillis(999));
        assertThat(next).isNotDone();
        pass(JITTER);
        assertThat(next).isCompleted();
    }

    @Test
    void headAfterResizeLearnsOfRest() {
        Lease resting = acquired(2, LONG);
        acquired(1, LONG);
        CompletableFuture<Lease> head = request(first, 3);
        CompletableFuture<Lease> next = request(second, 1);
        resting.releaseAfter(Duration.ofSeconds(1));
        holder.store.server.resize("s", PERMITS, 2, CallMode.BLOCKING);
        assertThat(head).isCompletedExceptionally();
        pass(Duration.ofSeconds(1).plus(JITTER));
        assertThat(next).isCompleted();
    }

    @Test
    void headIsNotToldAfterRest() {
        Lease resting = acquired(2, LONG);
        Lease released = acquired(1, LONG);
        resting.releaseAfter(Duration.ofMillis(10));
        pass(Duration.ofMillis(10));
        CompletableFuture<Lease> large = request(first, 3);
        CompletableFuture<Lease> next = request(second, 3);
        long asked = second.count("acquire");
        released.release();
        assertThat(large).isCompleted();
        assertThat(next).isNotDone();
        assertThat(second.count("acquire")).isEqualTo(asked);
    }

    @Test
    void eachMessageIsOneQuestion() {
        Lease resting = acquired(3, LONG);
        CompletableFuture<Lease> head = request(first, 1);
        CompletableFuture<Lease> next = request(second, 3);
        long before = first.count("acquire") + second.count("acquire");
        resting.releaseAfter(Duration.ofSeconds(1));
        head.cancel(false);
        assertThat(first.count("acquire") + second.count("acquire") - before).isEqualTo(2);
        pass(Duration.ofSeconds(1).plus(JITTER));
        assertThat(next).isCompleted();
    }

    private void pass(Duration time) {
        holder.time.pass(time);
    }

    private Lease acquired(int permits, LockOptions options) {
        return holder.engine
                .tryAcquireAsync(ask(permits, options, WaitPlan.NONE))
                .join()
                .orElseThrow();
    }

    private static CompletableFuture<Lease> request(EngineFixture client, int permits) {
        return client.engine.acquireAsync(ask(permits, FIXED, WaitPlan.of(FIXED)));
    }

    private static AcquireSpec ask(int permits, LockOptions options, WaitPlan plan) {
        Claim claim = Claim.Permits.of("s", permits, new Limit(PERMITS, Limit.IfOther.REFUSE));
        return new AcquireSpec(new Subject("s", "semaphore 's'", claim, List.of()), options, plan);
    }
}
