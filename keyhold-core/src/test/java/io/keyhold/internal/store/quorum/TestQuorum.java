package io.keyhold.internal.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.KeyholdClock;
import io.keyhold.inspect.LockHolder;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;

/** A quorum of three nodes that can be slow, cut off or lose their data; on one thread, with timers that the test runs. */
abstract class TestQuorum {

    static final Claim LOCK = new Claim.Lock("invoice:42");
    static final long LEASE = 10_000;
    private static final QuorumSettings SETTINGS = new QuorumSettings(Optional.empty(), Duration.ofMinutes(1), true);

    long now = 1_000_000_000_000L;
    final List<TestNode> nodes = new ArrayList<>();
    private final Deque<Runnable> timers = new ArrayDeque<>();
    /** That of the timer which was set last. */
    Duration delay = Duration.ZERO;

    QuorumStore quorum;

    final KeyholdClock clock = new KeyholdClock() {
        @Override
        public long monotonicNanos() {
            return now;
        }

        @Override
        public long wallMillis() {
            return now / 1_000_000;
        }
    };

    @BeforeEach
    void threeNodes() {
        Stream.generate(() -> new TestNode(clock)).limit(3).forEach(nodes::add);
        quorum = client();
    }

    private QuorumStore client() {
        return new QuorumStore(
                nodes.stream().map(TestNode::store).toList(),
                List.of(),
                SETTINGS,
                clock,
                this::later,
                new SplittableRandom(1));
    }

    private Scheduler.Timer later(long delayNanos, Runnable task) {
        delay = Duration.ofNanos(delayNanos);
        timers.add(task);
        return () -> timers.remove(task);
    }

    /** All timers that are set now, whenever they are due. */
    void ring() {
        List<Runnable> due = List.copyOf(timers);
        timers.clear();
        due.forEach(Runnable::run);
    }

    CompletionStage<AcquireReply> acquire(String token) {
        return quorum.acquire(
                new AcquireRequest(LOCK, token, LEASE, AcquireRequest.IfFree.TAKE, AcquireRequest.IfBusy.GO_AWAY),
                CallMode.ASYNCHRONOUS,
                () -> {});
    }

    AcquireReply acquired(String token) {
        return acquire(token).toCompletableFuture().join();
    }

    HoldReply renewed(String token) {
        return quorum.renew(List.of(new RenewRequest(LOCK, token, LEASE)), CallMode.ASYNCHRONOUS)
                .toCompletableFuture()
                .join()
                .get(0);
    }

    HoldReply released(String token) {
        return quorum.release(ReleaseRequest.of(LOCK, token), CallMode.ASYNCHRONOUS)
                .toCompletableFuture()
                .join();
    }

    /** Returns the holder of the lock at each node; "" for none. */
    List<String> holders() {
        return nodes.stream()
                .map(node -> node.memory()
                        .look(LOCK.key(), CallMode.ASYNCHRONOUS)
                        .toCompletableFuture()
                        .join())
                .map(seen -> seen.holder().map(LockHolder::token).orElse(""))
                .toList();
    }

    static long number(AcquireReply reply) {
        assertThat(reply).isInstanceOf(AcquireReply.Granted.class);
        return ((AcquireReply.Granted) reply).fencingToken();
    }

    static VoteRequest vote(String token, long proposal) {
        return new VoteRequest(
                LOCK,
                token,
                LEASE,
                AcquireRequest.IfFree.TAKE,
                Optional.empty(),
                proposal,
                new VoteRequest.Admission(60_000, VoteRequest.IfFresh.ADMIT));
    }

    /**
     * Makes the counters of the first nodes differ, this many of them, so that numbers differ in the first round. Returns that of the
     * first; each of the others is one more.
     */
    long unlikeNumbers(int count) {
        long far = clock.wallMillis() * 1000 + 5_000_000;
        for (int i = 0; i < count; i++) {
            nodes.get(i)
                    .memory()
                    .vote(vote("early", far + i), null)
                    .toCompletableFuture()
                    .join();
            nodes.get(i)
                    .memory()
                    .giveUp(ReleaseRequest.of(LOCK, "early"), null)
                    .toCompletableFuture()
                    .join();
        }
        return far;
    }
}
