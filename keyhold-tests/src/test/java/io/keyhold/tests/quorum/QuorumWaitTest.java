package io.keyhold.tests.quorum;

import static io.keyhold.tests.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waiting for a lock on a quorum, and what is left on its nodes. */
class QuorumWaitTest {

    private static final String KEY = "invoice:42";
    private static final String QUEUE = "{" + KEY + "}:kh:queue";

    private final Nodes nodes = Nodes.start(3);
    private final List<Announcements> announcements = new ArrayList<>();

    @BeforeEach
    void listen() throws IOException {
        for (int node = 0; node < 3; node++) {
            announcements.add(new Announcements(nodes.server(node)));
        }
    }

    @AfterEach
    void close() throws IOException {
        for (Announcements each : announcements) {
            each.close();
        }
        nodes.close();
    }

    @Test
    void releaseNotifiesWaiterFromMajority() throws Exception {
        try (Keyhold first = nodes.client().build();
                Keyhold second = nodes.client().build()) {
            Lease held = first.lock(KEY, options()).acquire();
            // Otherwise the waiter could get the vote of the last node, and release it.
            await(() -> nodes.knowing(KEY).size() == 3);
            CompletableFuture<Lease> waiter = second.lock(KEY, options()).acquireAsync();
            await(() -> nodes.knowing(QUEUE).size() == 3);
            assertThat(announced()).containsExactly(0L, 0L, 0L);
            assertThat(held.release()).isTrue();
            Lease next = waiter.get(30, TimeUnit.SECONDS);
            assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
            // A waiter with two votes leaves the queue of the third node, maybe before that node gets the release.
            assertThat(announced()).filteredOn(count -> count > 0).hasSizeGreaterThanOrEqualTo(2);
            await(() -> nodes.knowing(QUEUE).isEmpty());
        }
    }

    @Test
    void withdrawalLeavesQueueOfEachNode() throws Exception {
        try (Keyhold first = nodes.client().build();
                Keyhold second = nodes.client().build()) {
            Lease held = first.lock(KEY, options()).acquire();
            // Otherwise the waiter could get the vote of the last node, and release it.
            await(() -> nodes.knowing(KEY).size() == 3);
            CompletableFuture<Lease> waiter = second.lock(KEY, options()).acquireAsync();
            await(() -> nodes.knowing(QUEUE).size() == 3);
            assertThat(waiter.cancel(true)).isTrue();
            await(() -> nodes.knowing(QUEUE).isEmpty());
            assertThat(held.release()).isTrue();
            assertThat(announced()).as("messages to waiters").containsExactly(0L, 0L, 0L);
        }
    }

    @Test
    void closeReleasesHeldAndInFlight() throws Exception {
        Keyhold keyhold = nodes.client().build();
        for (int i = 0; i < 20; i++) {
            keyhold.lock("held:" + i, options()).acquire();
        }
        Lease elsewhere;
        try (Keyhold other = nodes.client().build()) {
            elsewhere = other.lock(KEY, options()).acquire();
            // Otherwise the waiter could get the vote of the last node, and release it.
            await(() -> nodes.knowing(KEY).size() == 3);
            CompletableFuture<Lease> waiter = keyhold.lock(KEY, options()).acquireAsync();
            await(() -> nodes.knowing(QUEUE).size() == 3);
            keyhold.close();
            assertThatThrownBy(waiter::join).hasCauseInstanceOf(KeyholdClosedException.class);
            // A request to a slow node may still be in flight, and ends with the connection or the release.
            await(() -> nodes.knowing(QUEUE).isEmpty());
            for (int i = 0; i < 20; i++) {
                String key = "held:" + i;
                await(() -> nodes.knowing(key).isEmpty());
            }
            assertThat(elsewhere.isHeldOnServer()).isTrue();
        }
    }

    @Test
    void multiLockIsAllOrNothing() throws Exception {
        try (Keyhold first = nodes.client().build();
                Keyhold second = nodes.client().build()) {
            Lease b = first.lock("b", options()).acquire();
            // Otherwise the other could get the vote of the last node, and release it.
            await(() -> nodes.knowing("b").size() == 3);
            assertThat(second.allOf(List.of("a", "b", "c"), options()).tryAcquire())
                    .isEmpty();
            await(() -> nodes.knowing("a").isEmpty());
            assertThat(nodes.knowing("c")).isEmpty();
            b.release();
            Lease all = second.allOf(List.of("a", "b", "c"), options()).acquire();
            assertThat(all.fencingToken()).isGreaterThan(b.fencingToken());
            await(() -> nodes.knowing("a").size() == 3 && nodes.knowing("c").size() == 3);
            assertThat(first.lock("c", options()).tryAcquire()).isEmpty();
            // The majority counts for all keys together: each key is lost on another node.
            nodes.ask(0, "DEL", "a");
            assertThat(all.isHeldOnServer()).isTrue();
            nodes.ask(1, "DEL", "c");
            assertThat(all.isHeldOnServer()).isFalse();
            assertThat(all.release()).isFalse();
            await(() -> nodes.knowing("b").isEmpty());
        }
    }

    /** Returns how many messages each node has published. */
    private List<Long> announced() throws IOException {
        List<Long> counts = new ArrayList<>();
        for (Announcements each : announcements) {
            counts.add(each.count());
        }
        return counts;
    }

    /** So long that no renewal restores what a test deletes. */
    private static LockOptions options() {
        return LockOptions.builder().lease(Nodes.LONGEST_LEASE).renew(true).build();
    }
}
