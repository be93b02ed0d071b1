package io.keyhold.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.ElectionOptions;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.WrongKindException;
import io.keyhold.inspect.LockKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a quorum cannot support is refused with the reason, and nothing is sent. */
class QuorumRefusalTest {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Keyhold node = Keyhold.inMemory();
    private final Keyhold other = Keyhold.inMemory();
    private final Keyhold quorum = Keyhold.builder()
            .quorumOfClients(
                    List.of(node, other, Keyhold.inMemory()),
                    Nodes.PATIENTLY.toBuilder().longestLease(LONGEST).build())
            .build();

    @AfterEach
    void close() {
        quorum.close();
        node.close();
        other.close();
    }

    @Test
    void tokensOfCaller() {
        refused(options -> options.token("moto"), "custom tokens are not supported on a quorum", "a delayed release");
    }

    @Test
    void strictOrder() {
        refused(
                options -> options.fairness(Fairness.STRICT),
                "STRICT is not supported on a quorum",
                "a queue of its own");
    }

    @Test
    void leasesWithoutEnd() {
        refused(LockOptions.Builder::noExpiry, "at most longestLease (60 s) on a quorum", "was unlimited");
    }

    @Test
    void tooLongLeases() throws InterruptedException {
        refused(
                options -> options.lease(LONGEST.plusMillis(1)),
                "at most longestLease (60 s) on a quorum",
                "was 60.001 s");
        Lease lease = quorum.lock("long", LockOptions.builder().lease(LONGEST).build())
                .acquire();
        unsupported(() -> lease.extend(LONGEST.plusMillis(1)), "at most longestLease (60 s)");
        unsupported(() -> lease.releaseAfter(LONGEST.plusMillis(1)), "at most longestLease (60 s)");
        unsupported(
                () -> quorum.election(
                        "boss",
                        ElectionOptions.builder().lease(LONGEST.plusMillis(1)).build()),
                "at most longestLease (60 s)");
        assertThat(lease.isHeldOnServer()).as("the hold stays").isTrue();
        assertThat(lease.extend(LONGEST)).isTrue();
        assertThat(lease.release()).isTrue();
    }

    @Test
    void refusedWaiterFailsNoWaiterBehindIt() {
        DistributedLock lock =
                quorum.lock("x", LockOptions.builder().lease(LONGEST).build());
        Lease held = lock.acquireAsync().join();
        DistributedLock odd = lock.with(options -> options.lease(LONGEST.plusMillis(1)));
        CompletableFuture<Lease> refused = odd.acquireAsync();
        CompletableFuture<Lease> next = lock.acquireAsync();
        assertThat(held.release()).isTrue();
        failed(refused::join, "at most longestLease");
        assertThat(next.join().isHeld()).isTrue();
    }

    @Test
    void semaphores() {
        String[] reason = {
            "semaphores are not supported on a quorum", "three nodes with two permits each can admit three"
        };
        unsupported(() -> quorum.semaphore("gpu", 2), reason);
        unsupported(
                () -> quorum.semaphore(
                        "gpu", SemaphoreOptions.builder().permits(2).build()),
                reason);
        assertThat(node.semaphore("gpu", 2).tryAcquire())
                .as("on one node alone")
                .isPresent();
    }

    @Test
    void readWriteLocks() {
        String reason = "read/write locks are not supported on a quorum";
        unsupported(() -> quorum.readWriteLock("catalog"), reason);
        unsupported(() -> quorum.readWriteLock("catalog", LockOptions.defaults()), reason);
    }

    @Test
    void wrongKindOnMajorityIsNamedPerNode() {
        other.semaphore("gpu", 2).tryAcquire();
        assertThat(quorum.lock("gpu").tryAcquireAsync().join())
                .as("one is no majority")
                .isPresent();
        quorum.inspect().forceRelease("gpu");
        node.semaphore("gpu", 2).tryAcquire();
        assertThatThrownBy(() -> quorum.lock("gpu").tryAcquire())
                .isInstanceOfSatisfying(
                        WrongKindException.class,
                        wrong -> assertThat(wrong.found()).contains(LockKind.SEMAPHORE))
                .hasMessageContainingAll("cannot acquire lock 'gpu': no quorum: ", "the key is in use as a semaphore");
    }

    /** By each kind of call, for one key and for several. */
    private void refused(UnaryOperator<LockOptions.Builder> terms, String... words) {
        for (DistributedLock lock : new DistributedLock[] {quorum.lock("a"), quorum.allOf("a", "b")}) {
            DistributedLock odd = lock.with(terms);
            unsupported(odd::acquire, words);
            unsupported(odd::tryAcquire, words);
            unsupported(() -> odd.tryAcquire(Duration.ofMinutes(1)), words);
            failed(() -> odd.acquireAsync().join(), words);
            unsupported(() -> odd.asLock().lock(), words);
        }
        assertThat(node.inspect().list("*")).isEmpty();
    }

    private static void unsupported(ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll(words);
    }

    private static void failed(ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .hasCauseInstanceOf(UnsupportedOperationException.class)
                .cause()
                .hasMessageContainingAll(words);
    }
}
