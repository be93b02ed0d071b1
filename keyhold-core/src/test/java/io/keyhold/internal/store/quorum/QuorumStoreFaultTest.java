package io.keyhold.internal.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What is released after faults, and what must not be. */
final class QuorumStoreFaultTest extends TestQuorum {

    private CompletionStage<AcquireReply> adopt(String token) {
        return quorum.acquire(
                new AcquireRequest(LOCK, token, LEASE, AcquireRequest.IfFree.LEAVE, AcquireRequest.IfBusy.GO_AWAY),
                CallMode.ASYNCHRONOUS,
                () -> {});
    }

    @Test
    void failedAdoptionKeepsHolder() {
        number(acquired("a"));
        nodes.get(1).cutOff();
        nodes.get(2).slow("vote");
        CompletionStage<AcquireReply> adoption = adopt("a");
        ring();
        ring();
        assertThatThrownBy(() -> adoption.toCompletableFuture().join()).hasMessageContaining("no quorum");
        nodes.get(1).comeBack();
        nodes.get(2).arrive();
        ring();
        assertThat(holders()).containsOnly("a");
        assertThat(renewed("a")).isEqualTo(HoldReply.DONE);
    }

    @Test
    void adoptionOfMinorityHoldReleasesNothing() {
        number(acquired("a"));
        nodes.get(0).forget();
        nodes.get(1).forget();
        nodes.subList(0, 2)
                .forEach(node -> node.memory()
                        .vote(vote("other", 1), null)
                        .toCompletableFuture()
                        .join());
        assertThat(adopt("a").toCompletableFuture().join()).isInstanceOf(AcquireReply.Busy.class);
        ring();
        assertThat(holders()).containsExactly("other", "other", "a");
    }

    @Test
    void cutGrantIsReleasedAfterRefusedRetry() {
        nodes.get(0).cutOff();
        nodes.get(1).cutAfterNext("vote");
        assertThatThrownBy(() -> acquired("a")).hasMessageContaining("no quorum");
        assertThat(holders()).containsExactly("", "a", "");
        nodes.get(1).comeBack();
        ring();
        assertThat(holders()).containsOnly("");
    }

    @Test
    void secondRoundWithoutReplyIsNoRefusal() {
        unlikeNumbers(3);
        nodes.forEach(node -> node.cutAfterNext("raise"));
        assertThatThrownBy(() -> acquired("a"))
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("no quorum")
                .hasMessageContaining("granted, then failed: cut");
        assertThat(holders()).containsExactly("a", "", "");
        nodes.forEach(TestNode::comeBack);
        ring();
        assertThat(holders()).containsOnly("");
    }

    /** A process that takes a lock for others to renew and release may end right after it has a majority. */
    @Test
    void grantIsUnsettledUntilEveryNodeVotes() {
        nodes.get(2).slow("vote");
        number(acquired("a"));
        CompletableFuture<Void> settled = quorum.settled().toCompletableFuture();
        assertThat(settled).isNotDone();
        nodes.get(2).arrive();
        assertThat(settled).isDone();
        assertThat(holders()).containsOnly("a");
    }

    /** Otherwise closing the client would cut off what it has just sent, and the lock would stay until its lease ends. */
    @Test
    void releaseIsUnsettledUntilEveryNodeReplies() {
        number(acquired("a"));
        nodes.get(2).slow("giveUp");
        released("a");
        CompletableFuture<Void> settled = quorum.settled().toCompletableFuture();
        assertThat(settled).isNotDone();
        assertThat(holders()).containsExactly("", "", "a");
        nodes.get(2).arrive();
        assertThat(settled).isDone();
        assertThat(holders()).containsOnly("");
    }

    @Test
    void forceReleaseNeedsMajority() {
        number(acquired("a"));
        nodes.get(0).cutOff();
        nodes.get(1).cutOff();
        assertThatThrownBy(() -> quorum.forceRelease(LOCK.key(), CallMode.ASYNCHRONOUS)
                        .toCompletableFuture()
                        .join())
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("too few nodes replied")
                .hasMessageContaining("cut off");
    }

    /** Inspection is often the first and only call of a process, and its connections have to be opened. */
    @Test
    void firstRequestHasLongerTimeout() {
        nodes.forEach(node -> node.slow("look"));
        CompletionStage<LockSnapshot> first = quorum.look(LOCK.key(), CallMode.ASYNCHRONOUS);
        Duration atFirst = delay;
        nodes.forEach(TestNode::arrive);
        assertThat(first.toCompletableFuture().join().nodes()).hasSize(3);
        nodes.get(0).slow("look");
        quorum.look(LOCK.key(), CallMode.ASYNCHRONOUS);
        assertThat(atFirst).isEqualTo(Duration.ofSeconds(6));
        assertThat(delay).isEqualTo(Duration.ofSeconds(1));
    }

    /** A hold that was never confirmed counts when it is renewed, so that its node is not new any more. */
    @Test
    void nodeThatRenewedIsNotTakenForNew() {
        nodes.get(2).cutAfterNext("vote");
        number(acquired("a"));
        nodes.get(2).comeBack();
        nodes.get(0).cutOff();
        now += LEASE / 2 * 1_000_000;
        assertThat(renewed("a")).isEqualTo(HoldReply.DONE);
        now += (LEASE / 2 + 1) * 1_000_000;
        nodes.get(2).forget();
        nodes.get(0).comeBack();
        // The first node has forgotten the hold at its end, the second one has it.
        assertThat(acquired("b"))
                .isInstanceOfSatisfying(
                        AcquireReply.Busy.class,
                        busy -> assertThat(busy.detail().orElseThrow()).contains("quarantined"));
    }

    @Test
    void refusalOfOneKeyDoesNotConcernOtherRenewals() {
        number(acquired("a"));
        Claim other = new Claim.Lock("forbidden");
        nodes.subList(0, 2).forEach(node -> node.forbids("forbidden"));
        List<HoldReply> replies = quorum.renew(
                        List.of(new RenewRequest(other, "b", LEASE), new RenewRequest(LOCK, "a", LEASE)),
                        CallMode.ASYNCHRONOUS)
                .toCompletableFuture()
                .join();
        assertThat(replies.get(0))
                .isInstanceOfSatisfying(
                        HoldReply.Unknown.class,
                        unknown -> assertThat(unknown.detail()).contains("NOPERM"));
        assertThat(replies.get(1)).isEqualTo(HoldReply.DONE);
    }

    @Test
    void channelsAreOpenedAgainWhileRequestsWait() {
        nodes.get(0).cutOff();
        nodes.get(1).forbids("openGrantChannel");
        GrantSubscription subscription = quorum.openGrantChannel(new IgnoringListener())
                .toCompletableFuture()
                .join()
                .orElseThrow();
        for (int i = 0; i < 5; i++) {
            ring();
        }
        assertThat(nodes.get(0).refused()).as("nothing waits").isEqualTo(1);
        nodes.get(0).comeBack();
        for (int i = 0; i < 5; i++) {
            subscription.probe();
        }
        assertThat(nodes).extracting(node -> node.asked("openGrantChannel")).containsExactly(1, 1, 1);
        assertThat(waiting("a0")).isInstanceOf(AcquireReply.Granted.class);
    }

    @Test
    void renewalDuringReleaseRestoresNothing() {
        number(acquired("a"));
        nodes.get(2).forget();
        nodes.get(2).memory().vote(vote("other", 1), null).toCompletableFuture().join();
        nodes.get(2)
                .memory()
                .giveUp(ReleaseRequest.of(LOCK, "other"), null)
                .toCompletableFuture()
                .join();
        nodes.forEach(node -> node.slow("giveUp"));
        CompletionStage<HoldReply> release = quorum.release(ReleaseRequest.of(LOCK, "a"), CallMode.ASYNCHRONOUS);
        // Overtakes the release: two nodes still hold it, and the third, which has lost it, would be asked for its
        // vote again.
        renewed("a");
        assertThat(holders()).containsExactly("a", "a", "");
        nodes.forEach(TestNode::arrive);
        release.toCompletableFuture().join();
        assertThat(holders()).containsOnly("");
    }

    @Test
    void lateVoteDoesNotRequeueWinner() {
        quorum.openGrantChannel(new IgnoringListener()).toCompletableFuture().join();
        nodes.subList(0, 2)
                .forEach(node -> node.memory()
                        .vote(vote("other", 1), null)
                        .toCompletableFuture()
                        .join());
        for (int late = 0; late < 2; late++) {
            nodes.get(2).slow("vote");
            assertThat(waiting("a" + late)).isInstanceOf(AcquireReply.Busy.class);
            nodes.get(2).hurry();
        }
        nodes.subList(0, 2)
                .forEach(node -> node.memory()
                        .giveUp(ReleaseRequest.of(LOCK, "other"), null)
                        .toCompletableFuture()
                        .join());
        // One of the late votes arrives after the winning vote, but is handled before the lock is returned.
        nodes.get(0).slow("vote");
        nodes.get(1).slow("vote");
        CompletionStage<AcquireReply> won = ask("b");
        nodes.get(2).arriveNext();
        nodes.get(0).arrive();
        nodes.get(1).arrive();
        number(won.toCompletableFuture().join());
        nodes.get(2).arrive();
        assertThat(holders()).containsOnly("b");
        assertThat(waitingAt(2)).isZero();
    }

    private AcquireReply waiting(String token) {
        return ask(token).toCompletableFuture().join();
    }

    private CompletionStage<AcquireReply> ask(String token) {
        QueuePlace place = new QueuePlace("quorum", 1, LEASE, 1, 1, "a0");
        return quorum.acquire(
                new AcquireRequest(
                        LOCK,
                        token,
                        LEASE,
                        AcquireRequest.IfFree.TAKE,
                        new AcquireRequest.IfBusy(
                                Optional.of(place), AcquireRequest.Coming.AGAIN, AcquireRequest.Detail.FULL)),
                CallMode.ASYNCHRONOUS,
                () -> {});
    }

    private long waitingAt(int node) {
        return nodes.get(node)
                .memory()
                .look(LOCK.key(), CallMode.ASYNCHRONOUS)
                .toCompletableFuture()
                .join()
                .waiterCount();
    }

    /** Ignores everything. */
    private static final class IgnoringListener implements GrantSubscription.Listener {
        @Override
        public void granted(GrantNotice notice) {}

        @Override
        public void freed(long number) {}

        @Override
        public void probed() {}

        @Override
        public void ended(Throwable reason) {}
    }

    @Test
    void deadNodeGetsOneProbeAtATime() {
        nodes.get(2).cutOff();
        for (int i = 0; i < 500; i++) {
            number(acquired("a" + i));
            released("a" + i);
        }
        int before = nodes.get(2).refused();
        for (int i = 0; i < 5; i++) {
            ring();
        }
        assertThat(nodes.get(2).refused() - before).isBetween(5, 6);
        nodes.get(2).comeBack();
        for (int i = 0; i < 5; i++) {
            ring();
        }
        assertThat(quorum.settled().toCompletableFuture()).isDone();
        assertThat(nodes.get(2).asked("giveUp")).isGreaterThanOrEqualTo(500);
    }

    @Test
    void pendingReleaseOfDeadNodeEndsWithLease() {
        nodes.get(2).cutOff();
        number(acquired("a"));
        released("a");
        assertThat(quorum.settled().toCompletableFuture()).isNotDone();
        now += Duration.ofMinutes(2).toNanos();
        ring();
        assertThat(quorum.settled().toCompletableFuture()).isDone();
    }

    @Test
    void longestKnownLeaseIsQuarantine() {
        TestNode node = nodes.get(0);
        node.forget();
        assertThat(waits(node, 60_000)).isEqualTo(60_000);
        assertThat(waits(node, 600_000)).isEqualTo(600_000);
        now += Duration.ofMinutes(2).toNanos();
        assertThat(waits(node, 60_000)).isEqualTo(480_000);
    }

    @Test
    void inspectionStartsButDoesNotEndQuarantine() {
        TestNode node = nodes.get(0);
        node.forget();
        assertThat(looked(node)).isEqualTo(60_000);
        now += Duration.ofMinutes(2).toNanos();
        assertThat(looked(node)).isZero();
        assertThat(waits(node, 600_000)).isEqualTo(480_000);
    }

    private static long looked(TestNode node) {
        return node.memory()
                .quarantineMillis(new VoteRequest.Admission(60_000, VoteRequest.IfFresh.WAIT))
                .toCompletableFuture()
                .join();
    }

    private static long waits(TestNode node, long longestLeaseMillis) {
        VoteRequest asked = new VoteRequest(
                LOCK,
                "b",
                LEASE,
                AcquireRequest.IfFree.TAKE,
                Optional.empty(),
                1,
                new VoteRequest.Admission(longestLeaseMillis, VoteRequest.IfFresh.WAIT));
        return ((VoteReply.Abstained)
                        node.memory().vote(asked, null).toCompletableFuture().join())
                .remainingMillis();
    }
}
