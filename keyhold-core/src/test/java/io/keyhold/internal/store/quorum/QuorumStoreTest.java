package io.keyhold.internal.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A quorum of nodes that are slow, cut off or lose their data; on one thread, with timers that the test runs. */
final class QuorumStoreTest extends TestQuorum {

    @Test
    void oneRoundIsEnoughWhenNodesAgree() {
        long first = number(acquired("a"));
        released("a");
        now += 10_000_000;
        assertThat(number(acquired("b"))).isGreaterThan(first);
        assertThat(rounds()).containsExactly(2L, 0L);
    }

    @Test
    void nodesThatDoNotAgreeAreRaisedInSecondRound() {
        long far = unlikeNumbers(2);
        assertThat(number(acquired("a"))).isGreaterThan(far + 1);
        assertThat(rounds()).containsExactly(0L, 1L);
        released("a");
        assertThat(number(acquired("b"))).isGreaterThan(far + 2);
    }

    private List<Long> rounds() {
        return quorum.quorum()
                .toCompletableFuture()
                .join()
                .map(view -> List.of(view.singleRoundCount(), view.twoRoundCount()))
                .orElseThrow();
    }

    @Test
    void sameServerTwiceIsRefused() {
        nodes.get(1).standsFor(nodes.get(0));
        nodes.get(2).slow("vote");
        assertThatThrownBy(() -> acquired("a"))
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll(
                        "cannot acquire lock 'invoice:42': no quorum: ",
                        nodes.get(0).memory().address(),
                        "are the same server");
        nodes.get(2).arrive();
        ring();
        assertThat(holders()).containsExactly("", "", "");
        nodes.get(1).forget();
        number(acquired("b"));
    }

    @Test
    void sameServerTwiceIsRefusedLaterIfFoundLate() {
        nodes.get(2).standsFor(nodes.get(0));
        nodes.get(2).slow("vote");
        number(acquired("a"));
        nodes.get(2).arrive();
        assertThat(released("a")).isEqualTo(HoldReply.DONE);
        assertThatThrownBy(() -> acquired("b")).hasMessageContaining("are the same server");
        nodes.get(2).forget();
        number(acquired("c"));
    }

    @Test
    void majorityDecidesWithoutSlowNode() {
        nodes.get(1).slow("vote", "giveUp", "renew");
        number(acquired("a"));
        assertThat(renewed("a")).isEqualTo(HoldReply.DONE);
        assertThat(released("a")).isEqualTo(HoldReply.DONE);
    }

    @Test
    void lateGrantAfterReleaseIsReleased() {
        nodes.get(1).slow("vote");
        number(acquired("a"));
        released("a");
        assertThat(holders()).containsOnly("");
        nodes.get(1).arrive();
        assertThat(holders()).containsOnly("");
    }

    @Test
    void lateGrantWhileHeldStays() {
        nodes.get(1).slow("vote");
        number(acquired("a"));
        nodes.get(1).arrive();
        assertThat(holders()).containsOnly("a");
    }

    @Test
    void minorityVotesAreReleased() {
        nodes.get(0).memory().vote(vote("other", 1), null).toCompletableFuture().join();
        nodes.get(1).memory().vote(vote("other", 1), null).toCompletableFuture().join();
        assertThat(acquired("a")).isInstanceOfSatisfying(AcquireReply.Busy.class, busy -> {
            assertThat(busy.holder()).contains("other");
            assertThat(busy.detail().orElseThrow()).contains("busy, held by other");
        });
        ring();
        assertThat(holders()).containsExactly("other", "other", "");
    }

    @Test
    void grantsOfSilentMajorityAreReleased() {
        nodes.get(0).slow("vote");
        nodes.get(1).slow("vote");
        CompletionStage<AcquireReply> asked = acquire("a");
        ring();
        ring();
        assertThatThrownBy(() -> asked.toCompletableFuture().join())
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("no quorum")
                .hasMessageContaining("no reply within 1 s");
        assertThat(holders()).containsOnly("");
        nodes.get(0).arrive();
        nodes.get(1).arrive();
        ring();
        assertThat(holders()).containsOnly("");
    }

    @Test
    void repliesAfterSilenceCount() {
        nodes.forEach(node -> node.slow("vote"));
        CompletionStage<AcquireReply> asked = acquire("a");
        ring(); // The timer of the nodes. It sets the one that ends the request.
        assertThat(asked.toCompletableFuture()).isNotDone();
        nodes.forEach(TestNode::arrive);
        number(asked.toCompletableFuture().join());
        assertThat(holders()).containsOnly("a");
    }

    @Test
    void returningNodeRejoinsLease() {
        number(acquired("a"));
        for (TestNode node : nodes) {
            node.forget();
            now += Duration.ofMinutes(2).toNanos() / 40;
            for (int i = 0; i < 40; i++) {
                // It is in quarantine for a minute, and asked at each renewal.
                assertThat(renewed("a")).isEqualTo(HoldReply.DONE);
                now += Duration.ofMinutes(2).toNanos() / 40;
            }
            assertThat(holders()).containsOnly("a");
        }
        released("a");
        assertThat(holders()).containsOnly("");
    }

    @Test
    void leaseIsLostWithItsMajority() {
        number(acquired("a"));
        nodes.get(0).forget();
        nodes.get(1).forget();
        assertThat(renewed("a")).isInstanceOf(HoldReply.NotHeld.class);
        assertThat(holders()).containsExactly("", "", "a");
    }

    @Test
    void outcomeIsUnknownWithoutMajority() {
        number(acquired("a"));
        nodes.get(0).cutOff();
        nodes.get(1).cutOff();
        assertThat(renewed("a")).isInstanceOf(HoldReply.Unknown.class);
        nodes.forEach(TestNode::comeBack);
        assertThat(renewed("a")).isEqualTo(HoldReply.DONE);
    }

    @Test
    void failedNodeReleaseIsRepeated() {
        number(acquired("a"));
        nodes.get(2).cutOff();
        assertThat(released("a")).isEqualTo(HoldReply.DONE);
        assertThat(holders()).containsExactly("", "", "a");
        nodes.get(2).comeBack();
        ring();
        assertThat(holders()).containsOnly("");
        ring();
        ring();
        ring();
        assertThat(quorum.settled().toCompletableFuture()).isDone();
    }

    @Test
    void releaseNeedsMajority() {
        nodes.get(0).memory().vote(vote("other", 1), null).toCompletableFuture().join();
        number(acquired("a"));
        nodes.get(1).cutOff();
        assertThat(released("a")).isEqualTo(HoldReply.DONE);
        assertThat(holders()).containsExactly("other", "a", "");
    }

    @Test
    void releaseUnknownToMajorityReturnsFalse() {
        number(acquired("a"));
        nodes.get(0).forget();
        nodes.get(1).forget();
        assertThat(released("a")).isInstanceOf(HoldReply.NotHeld.class);
    }

    @Test
    void forceReleaseHandsOverNothing() {
        number(acquired("a"));
        assertThat(quorum.forceRelease(LOCK.key(), CallMode.ASYNCHRONOUS)
                        .toCompletableFuture()
                        .join())
                .isTrue();
        assertThat(holders()).containsOnly("");
    }

    @Test
    void nodeThatMayHaveLostDataDoesNotVote() {
        number(acquired("a"));
        nodes.get(0).forget();
        nodes.get(1).forget();
        assertThatThrownBy(() -> acquired("b"))
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("quarantined for another 60 s");
        assertThat(holders()).containsExactly("", "", "a");
    }

    @Test
    void laterNodeIsNotTakenForNew() {
        nodes.get(0).cutOff();
        number(acquired("a"));
        released("a");
        now += Duration.ofMinutes(2).toNanos();
        nodes.get(0).comeBack();
        nodes.get(1).cutOff();
        assertThatThrownBy(() -> acquired("b")).hasMessageContaining("quarantined");
    }

    @Test
    void nodesAreNamedInTheirOrder() {
        List<String> addresses =
                nodes.stream().map(TestNode::store).map(VotingNode::address).toList();
        assertThat(quorum.quorum().toCompletableFuture().join().orElseThrow().nodes())
                .extracting(node -> node.address())
                .isEqualTo(addresses);
    }
}
