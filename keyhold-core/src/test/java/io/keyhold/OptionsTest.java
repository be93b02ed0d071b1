package io.keyhold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Options as values: defaults, copies, equality and text. */
class OptionsTest {

    private static final List<LeaseLost> LOSSES = new ArrayList<>();
    private static final Consumer<LeaseLost> LISTENER = LOSSES::add;

    /** Each changes one thing from the defaults. */
    private static final List<UnaryOperator<LockOptions.Builder>> CHANGES = List.of(
            options -> options.name("invoice"),
            options -> options.lease(Duration.ofSeconds(5)),
            options -> options.renew(false),
            options -> options.noExpiry(),
            options -> options.maxWait(Duration.ofSeconds(1)),
            options -> options.retries(2),
            options -> options.retryInterval(Duration.ofMillis(3)),
            options -> options.onLost(LISTENER),
            options -> options.interruptOnLoss(true),
            options -> options.token("mine"),
            options -> options.fairness(Fairness.STRICT),
            options -> options.maxLocalHandOvers(7),
            options -> options.maxLocalTime(Duration.ofMillis(8)));

    /** The last four are for locks only. */
    private static final int SHARED = 9;

    @Test
    void locksAndSemaphoresHaveSameDefaults() {
        LockOptions lock = LockOptions.defaults();
        SemaphoreOptions semaphore = SemaphoreOptions.builder().build();
        assertThat(SemaphoreOptions.builder().from(lock).build()).isEqualTo(semaphore);
        assertThat(LockOptions.builder().from(semaphore).build()).isEqualTo(lock);
        assertThat(semaphore.lease()).contains(Duration.ofSeconds(30));
        assertThat(semaphore.renew()).isTrue();
        assertThat(semaphore.noExpiry()).isFalse();
        assertThat(semaphore.maxWait()).isEmpty();
        assertThat(semaphore.retries()).isEmpty();
        assertThat(semaphore.retryInterval()).isEmpty();
        assertThat(semaphore.name()).isEmpty();
        assertThat(semaphore.onLost()).isEmpty();
        assertThat(semaphore.interruptOnLoss()).isFalse();
        assertThat(semaphore.joinExisting()).isFalse();
    }

    @Test
    void everyOptionCountsForEqualsAndCopy() {
        for (int i = 0; i < CHANGES.size(); i++) {
            LockOptions changed = CHANGES.get(i).apply(LockOptions.builder()).build();
            assertThat(changed).isNotEqualTo(LockOptions.defaults());
            assertThat(changed.toString()).isNotEqualTo(LockOptions.defaults().toString());
            assertThat(CHANGES.get(i).apply(LockOptions.builder()).build())
                    .isEqualTo(changed)
                    .hasSameHashCodeAs(changed);
            assertThat(changed.toBuilder().build()).isEqualTo(changed);
            if (i < SHARED) {
                SemaphoreOptions permits =
                        SemaphoreOptions.builder().from(changed).build();
                assertThat(permits).isNotEqualTo(SemaphoreOptions.builder().build());
                assertThat(LockOptions.builder().from(permits).build()).isEqualTo(changed);
                assertThat(permits.toBuilder().build()).isEqualTo(permits);
            }
        }
    }

    @Test
    void optionsOfLockAndSemaphoreAreUnequal() {
        assertThat((Object) LockOptions.defaults())
                .isNotEqualTo(SemaphoreOptions.builder().build());
    }

    @Test
    void permitsAndJoiningCount() {
        SemaphoreOptions one = SemaphoreOptions.builder().build();
        assertThat(one.toBuilder().permits(2).build()).isNotEqualTo(one);
        assertThat(one.toBuilder().joinExisting().build()).isNotEqualTo(one);
        assertThat(one.toBuilder().joinExisting().build().toBuilder().build().joinExisting())
                .isTrue();
    }

    @Test
    void optionsAreReadable() {
        assertThat(LockOptions.defaults())
                .hasToString(
                        "LockOptions[lease=30 s, renew=true, fairness=BATCHED, maxLocalHandOvers=63, maxLocalTime=50 ms]");
        assertThat(SemaphoreOptions.builder()
                        .permits(4)
                        .joinExisting()
                        .noExpiry()
                        .retries(3)
                        .name("gpu")
                        .build())
                .hasToString("SemaphoreOptions[name=gpu, noExpiry=true, renew=false, retries=3, retryInterval=10 ms,"
                        + " permits=4, joinExisting=true]");
        assertThat(QuorumOptions.defaults()).hasToString("QuorumOptions[longestLease=60 s, admitFreshNodes=false]");
    }

    @Test
    void optionsOfQuorumAreValues() {
        QuorumOptions defaults = QuorumOptions.defaults();
        for (UnaryOperator<QuorumOptions.Builder> change : List.<UnaryOperator<QuorumOptions.Builder>>of(
                options -> options.nodeTimeout(Duration.ofMillis(20)),
                options -> options.longestLease(Duration.ofSeconds(30)),
                options -> options.admitFreshNodes(true))) {
            QuorumOptions changed = change.apply(QuorumOptions.builder()).build();
            assertThat(changed)
                    .isNotEqualTo(defaults)
                    .isEqualTo(changed.toBuilder().build());
            assertThat(changed).hasSameHashCodeAs(changed.toBuilder().build());
            assertThat(changed.toString()).isNotEqualTo(defaults.toString());
        }
    }

    @Test
    void optionsOfElectionAreValues() {
        ElectionOptions defaults = ElectionOptions.defaults();
        for (UnaryOperator<ElectionOptions.Builder> change : List.<UnaryOperator<ElectionOptions.Builder>>of(
                options -> options.lease(Duration.ofSeconds(3)), options -> options.revokedTimeout(Duration.ZERO))) {
            ElectionOptions changed = change.apply(ElectionOptions.builder()).build();
            assertThat(changed)
                    .isNotEqualTo(defaults)
                    .isEqualTo(changed.toBuilder().build());
            assertThat(changed).hasSameHashCodeAs(changed.toBuilder().build());
            assertThat(changed.toString()).isNotEqualTo(defaults.toString());
        }
    }

    @Test
    void toStringOfLeaseShowsItsState() throws InterruptedException {
        try (Keyhold keyhold = Keyhold.inMemory()) {
            Lease lease = keyhold.lock("a").acquire();
            assertThat(lease.toString())
                    .contains("lock 'a'", "(held", lease.token(), Long.toString(lease.fencingToken()));
            lease.release();
            assertThat(lease.toString()).contains("(released");
        }
    }
}
