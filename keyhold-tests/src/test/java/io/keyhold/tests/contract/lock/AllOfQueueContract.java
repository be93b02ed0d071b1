package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** {@link Keyhold#allOf} on stores with a queue: it waits in the queue of each key, like any other request. */
public interface AllOfQueueContract extends StoreUnderTest {

    /** Each request has its own entry in the queue. */
    LockOptions STRICT = LockOptions.builder().fairness(Fairness.STRICT).build();

    @Test
    default void waitsInQueueOfEachKey() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = first.lock(key + "a", STRICT).acquire();
            CompletableFuture<Lease> early = second.lock(key + "a", STRICT).acquireAsync();
            Waiters.await(first, key + "a", 1);
            CompletableFuture<Lease> both = second.allOf(key + "b", key + "a").acquireAsync();
            Waiters.await(first, key + "a", 2);
            CompletableFuture<Lease> late = first.lock(key + "a", STRICT).acquireAsync();
            Waiters.await(first, key + "a", 3);
            held.release();
            early.get();
            assertThat(both.isDone() || late.isDone()).isFalse();
            early.get().release();
            assertThat(both.get().fencingToken()).isGreaterThan(early.get().fencingToken());
            assertThat(late).isNotDone();
            both.get().release();
            assertThat(late.get().fencingToken()).isGreaterThan(both.get().fencingToken());
        }
    }

    @Test
    default void firstWaiterOfEachKeyIsServed() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease both = first.allOf(key + "a", key + "b").acquire();
            CompletableFuture<Lease> a = second.lock(key + "a").acquireAsync();
            CompletableFuture<Lease> b = second.lock(key + "b").acquireAsync();
            Waiters.await(first, key + "a", 1);
            Waiters.await(first, key + "b", 1);
            assertThat(both.release()).isTrue();
            assertThat(a.get().isHeldOnServer() && b.get().isHeldOnServer()).isTrue();
            assertThat(first.inspect().lock(key + "a").waiterCount()).isZero();
        }
    }

    @Test
    default void waiterThatGivesUpLeavesAllQueues() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease b = first.lock(key + "b").acquire();
            CompletableFuture<Lease> both = second.allOf(key + "a", key + "b").acquireAsync();
            Waiters.await(first, key + "b", 1);
            CompletableFuture<Lease> a = first.lock(key + "a").acquireAsync();
            Waiters.await(first, key + "a", 1);
            both.cancel(true);
            assertThat(a.get().isHeldOnServer())
                    .as("the first key is handed over to the next waiter")
                    .isTrue();
            Waiters.await(first, key + "b", 0);
            b.release();
            assertThat(first.lock(key + "b").isLocked()).isFalse();
        }
    }
}
