package io.keyhold.tests.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.inspect.LocalWaiter;
import io.keyhold.inspect.LockSnapshot;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The waiters at the store, as an operator sees them. */
public final class Waiters {

    /** Looking without a pause would take the time of the tests that run beside this one. */
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Waiters() {}

    /** Returns when exactly this many wait; otherwise the time limit of the test ends it. */
    public static LockSnapshot await(Keyhold keyhold, String key, long waiting) {
        return await(keyhold, key, waiting, () -> true);
    }

    /** Returns when exactly this many wait. Fails when what makes them wait, and ends by itself, is over before. */
    public static LockSnapshot await(Keyhold keyhold, String key, long waiting, BooleanSupplier isBusy) {
        while (true) {
            LockSnapshot shown = keyhold.inspect().lock(key);
            if (shown.waiterCount() == waiting) {
                return shown;
            }
            if (!isBusy.getAsBoolean() || Thread.interrupted()) { // The time limit of a test interrupts it.
                throw new AssertionError("expected " + waiting + " waiters, was " + shown);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    /** Returns when a request of the client waits, and has been told that the lock is taken. */
    public static void awaitFirstReply(Keyhold keyhold) throws InterruptedException {
        while (keyhold.inspect().local().stream()
                .flatMap(shown -> shown.waiters().stream())
                .noneMatch(waiter ->
                        waiter.state() == LocalWaiter.State.QUEUED || waiter.state() == LocalWaiter.State.POLLING)) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Asserts that these waiters get the lock one by one, in this order, each after a release. Returns the last lease. */
    public static Lease assertServedInOrder(Lease held, List<CompletableFuture<Lease>> waiters) throws Exception {
        Lease last = held;
        List<CompletableFuture<Lease>> left = waiters;
        for (CompletableFuture<Lease> waiter : waiters) {
            assertThat(left.stream().filter(CompletableFuture::isDone)).isEmpty();
            last.release();
            Lease next = waiter.get();
            assertThat(next.fencingToken()).isGreaterThan(last.fencingToken());
            left = left.subList(1, left.size());
            last = next;
        }
        return last;
    }
}
