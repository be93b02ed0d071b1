package io.keyhold.internal.store.cluster;

import static io.keyhold.internal.store.cluster.FakeCluster.A;
import static io.keyhold.internal.store.cluster.FakeCluster.B;
import static io.keyhold.internal.store.cluster.FakeCluster.C;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.keyhold.Durability;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.engine.ManualTime;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantSource;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.UnacknowledgedException;
import io.keyhold.internal.store.redis.DurableSetup;
import io.keyhold.internal.store.redis.HashSlot;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Routing in a cluster whose nodes reply what the test says. */
class ClusterStoreTest {

    /** Its slot is 15495, the last node's; that of {@code b} is 3300, the first one's. */
    private static final String LAST = "a";

    private static final String FIRST = "b";

    private final ManualTime time = new ManualTime();
    private final FakeCluster cluster = new FakeCluster();
    private final ClusterStore store =
            new ClusterStore(cluster, "client", new DurableSetup(Durability.none(), time, time));

    @BeforeEach
    void tellSlots() {
        List.of(A, B, C).forEach(node -> cluster.tell(node, 1, 6000, 12_000));
    }

    private static AcquireRequest request(String key, Optional<QueuePlace> place) {
        return new AcquireRequest(
                new Claim.Lock(key),
                "token",
                1000,
                AcquireRequest.IfFree.TAKE,
                new AcquireRequest.IfBusy(place, AcquireRequest.Coming.FIRST, AcquireRequest.Detail.FULL));
    }

    private CompletionStage<AcquireReply> acquire(String key) {
        return store.acquire(request(key, Optional.empty()), CallMode.ASYNCHRONOUS, () -> {});
    }

    private CompletionStage<LockStore.Page> list(CallMode mode) {
        return store.list("*", LockStore.Page.EDGE, mode);
    }

    private static <T> T get(CompletionStage<T> stage) {
        CompletableFuture<T> done = stage.toCompletableFuture();
        assertThat(done).isDone();
        return done.join();
    }

    private static <X extends Throwable> X failure(CompletionStage<?> stage, Class<X> type) {
        CompletionException wrapped = catchThrowableOfType(CompletionException.class, () -> get(stage));
        Throwable cause = Objects.requireNonNull(wrapped.getCause());
        assertThat(cause).isInstanceOf(type);
        return type.cast(cause);
    }

    private static RedisErrorException moved(String key, Object to) {
        return new RedisErrorException("MOVED " + HashSlot.ofKey(key) + " " + to);
    }

    @Test
    void nothingIsOpenedBeforeTheFirstCall() {
        assertThat(cluster.nodes.values()).allMatch(node -> node.opened == 0);
    }

    @Test
    void callGoesToThePrimaryOfItsKey() {
        assertThat(get(acquire(LAST))).isEqualTo(new AcquireReply.Granted(7));
        get(acquire(FIRST));
        assertThat(cluster.node(C).scripts()).isEqualTo(1);
        assertThat(cluster.node(A).scripts()).isEqualTo(1);
        assertThat(cluster.node(B).scripts()).isZero();
    }

    @Test
    void oneLookupIsForAllCalls() {
        CompletableFuture<Void> lookups = new CompletableFuture<>();
        cluster.node(A).lookups = lookups;
        CompletionStage<AcquireReply> first = acquire(LAST);
        CompletionStage<AcquireReply> second = acquire(FIRST);
        lookups.complete(null);
        get(first);
        get(second);
        assertThat(cluster.node(A).log).containsOnlyOnce("CLUSTER SLOTS");
    }

    /** Lettuce completes calls on the thread that reads the replies of all nodes, and a call may be repeated there. */
    @Test
    void blockingCallDoesNotWaitForTheLookup() {
        CompletableFuture<Void> lookups = new CompletableFuture<>();
        cluster.node(A).lookups = lookups;
        var calls = assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> List.of(
                        store.acquire(request(LAST, Optional.empty()), CallMode.BLOCKING, () -> {}),
                        list(CallMode.BLOCKING)));
        assertThat(calls).noneMatch(call -> call.toCompletableFuture().isDone());
        lookups.complete(null);
        calls.forEach(ClusterStoreTest::get);
        assertThat(cluster.node(C).modes).containsExactly(CallMode.ASYNCHRONOUS);
        get(store.acquire(request(LAST, Optional.empty()), CallMode.BLOCKING, () -> {}));
        assertThat(cluster.node(C).modes).endsWith(CallMode.BLOCKING);
    }

    private CompletionStage<AcquireReply> acquireDurably() {
        DurableSetup setup = new DurableSetup(Durability.replicas(1), time, time);
        return new ClusterStore(cluster, "client", setup)
                .acquire(request(LAST, Optional.empty()), CallMode.ASYNCHRONOUS, () -> {});
    }

    @Test
    void redirectionToHostNamedLikeWaitIsFollowed() {
        RedisAddress target = new RedisAddress("waitlist-redis", 6379);
        cluster.node(C).replies.add(moved(LAST, target));
        cluster.node(target).replies.addAll(List.of("7", 1L));
        assertThat(get(acquireDurably())).isEqualTo(new AcquireReply.Granted(7));
    }

    /** The script before it was executed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERR unknown command 'WAIT', with args beginning with: '1' '500' ",
                "ERR unknown command `WAIT`, with args beginning with: `1`, `500`, ",
                "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0",
                "NOPERM this user has no permissions to run the 'wait' command or its subcommand",
                "NOPERM User app has no permissions to run the 'wait' command",
                "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)"
            })
    void errorOfWaitIsNoAcknowledgement(String error) {
        cluster.node(C).replies.addAll(List.of("7", new RedisErrorException(error)));
        assertThat(failure(acquireDurably(), StoreRefusedException.class))
                .hasCauseInstanceOf(UnacknowledgedException.class);
    }

    @Test
    void redirectionIsFollowedAndRemembered() {
        get(acquire(LAST));
        List.of(A, B, C).forEach(node -> cluster.node(node).lookups = new CompletableFuture<>()); // Not by a lookup.
        time.pass(Duration.ofSeconds(1));
        cluster.node(C).replies.add(moved(LAST, B));
        AtomicInteger sent = new AtomicInteger();
        get(store.acquire(request(LAST, Optional.empty()), CallMode.ASYNCHRONOUS, sent::incrementAndGet));
        assertThat(sent).as("a lease counts from the last time").hasValue(2);
        get(acquire(LAST));
        assertThat(cluster.node(B).scripts()).isEqualTo(2);
        assertThat(cluster.node(C).scripts()).isEqualTo(2);
    }

    /** A question mark is the host where {@code cluster-preferred-endpoint-type} is hostname, and the node has none. */
    @ParameterizedTest
    @ValueSource(strings = {":7001", "?:7001"})
    void redirectionWithoutHostIsToTheSameHost(String target) {
        cluster.node(C).replies.add(moved(LAST, target));
        get(acquire(LAST));
        assertThat(cluster.nodes).containsKey(new RedisAddress("c", 7001));
    }

    @Test
    void nodesThatRedirectToEachOtherAreAnOutage() {
        for (int i = 0; i < 10; i++) {
            cluster.node(C).replies.add(moved(LAST, B));
            cluster.node(B).replies.add(moved(LAST, C));
        }
        StoreUnavailableException failure = failure(acquire(LAST), StoreUnavailableException.class);
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(StoreFailure.isPassing(failure)).isTrue();
    }

    @Test
    void askIsFollowedOnce() {
        cluster.node(C).replies.add(new RedisErrorException("ASK " + HashSlot.ofKey(LAST) + " " + B));
        get(acquire(LAST));
        assertThat(cluster.node(B).log).containsSequence("ASKING", "EVALSHA");
        get(acquire(LAST));
        assertThat(cluster.node(B).scripts()).isEqualTo(1);
    }

    @Test
    void slotThatIsHalfMovedIsAnOutage() {
        cluster.node(C).replies.add(new RedisErrorException("TRYAGAIN Multiple keys request during rehashing of slot"));
        StoreRefusedException failure = failure(acquire(LAST), StoreRefusedException.class);
        assertThat(StoreFailure.isPassing(failure)).isTrue();
        assertThat(StoreFailure.isOutcomeUnknown(failure)).isFalse();
    }

    @Test
    void callFindsThePromotedReplica() {
        get(acquire(LAST));
        time.pass(Duration.ofSeconds(1));
        cluster.node(C).fails();
        List.of(A, B).forEach(node -> cluster.tell(node, 2, 6000, 16_384));
        assertThat(get(acquire(LAST))).isEqualTo(new AcquireReply.Granted(7));
        assertThat(cluster.node(B).scripts()).isEqualTo(1);
    }

    @Test
    void demotedPrimaryIsLeft() {
        get(acquire(LAST));
        time.pass(Duration.ofSeconds(1));
        cluster.node(C).replies.add(new RedisErrorException("READONLY You can't write against a read only replica."));
        List.of(A, B, C).forEach(node -> cluster.tell(node, 2, 6000, 16_384));
        assertThat(get(acquire(LAST))).isEqualTo(new AcquireReply.Granted(7));
    }

    @Test
    void callWithUnknownOutcomeIsNotRepeated() {
        get(acquire(LAST));
        time.pass(Duration.ofSeconds(1));
        List.of(A, B, C).forEach(node -> cluster.tell(node, 2, 6000, 16_384));
        cluster.node(C)
                .replies
                .add(new RedisConnectionException(RedisConnectionException.Failure.TIMED_OUT, "no reply", null));
        assertThat(failure(acquire(LAST), StoreUnavailableException.class).outcomeUnknown())
                .isTrue();
        assertThat(cluster.node(B).scripts()).isZero();
        get(acquire(LAST));
        assertThat(cluster.node(B).scripts())
                .as("the next call looks at the cluster first")
                .isEqualTo(1);
    }

    @Test
    void nodeWithAnOlderMapDoesNotDecide() {
        get(acquire(LAST));
        List.of(A, B, C).forEach(node -> cluster.tell(node, 2, 6000, 16_384));
        time.pass(Duration.ofSeconds(1));
        get(list(CallMode.ASYNCHRONOUS));
        cluster.configured = List.of(A, B, C);
        cluster.node(C).fails();
        cluster.tell(A, 1, 6000, 12_000);
        time.pass(Duration.ofSeconds(1));
        get(list(CallMode.ASYNCHRONOUS));
        assertThat(store.grantSource(LAST)).hasToString(B.toString());
    }

    @Test
    void serverThatIsNoClusterNamesTheCure() {
        cluster.node(A).slots = null;
        assertThat(failure(acquire(LAST), StoreRefusedException.class))
                .hasMessageContaining("a:7000")
                .hasMessageContaining("not a cluster; use redis://");
    }

    @Test
    void clusterThatIsDownNamesItsNodes() {
        cluster.configured = List.of(A, B);
        cluster.node(A).fails();
        cluster.node(B).fails();
        StoreUnavailableException failure = failure(acquire(LAST), StoreUnavailableException.class);
        assertThat(failure).hasMessageContaining("a:7000: refused").hasMessageContaining("b:7000: refused");
        assertThat(failure.outcomeUnknown()).isFalse();
    }

    /** The address of a node that was replaced may belong to any server by now. */
    @Test
    void serverThatIsNoClusterIsNotBelievedWhileNodesAreGone() {
        cluster.configured = List.of(A, B);
        cluster.node(A).fails();
        cluster.node(B).slots = null;
        StoreUnavailableException failure = failure(acquire(LAST), StoreUnavailableException.class);
        assertThat(failure).hasMessageContaining("a:7000: refused").hasMessageContaining("cluster support disabled");
        assertThat(StoreFailure.isPassing(failure)).isTrue();
    }

    /** An application's client may know no node before it has connected. */
    @Test
    void clusterWithoutKnownNodesIsAnOutage() {
        cluster.configured = List.of();
        StoreUnavailableException failure = failure(acquire(LAST), StoreUnavailableException.class);
        assertThat(failure).hasMessageContaining("no node of the cluster can be reached (no node is known)");
        assertThat(failure.outcomeUnknown()).isFalse();
        cluster.configured = List.of(A);
        get(acquire(LAST));
    }

    @Test
    void nodesThatCannotBeToldAreAnOutage() {
        cluster.nodesFailure = new IllegalStateException("not connected yet");
        StoreUnavailableException failure = failure(acquire(LAST), StoreUnavailableException.class);
        assertThat(failure).hasMessageContaining("not connected yet");
        assertThat(failure.outcomeUnknown()).isFalse();
        cluster.nodesFailure = null;
        get(acquire(LAST));
    }

    @Test
    void slotWithoutPrimaryIsAnOutage() {
        cluster.node(A).slots = List.of();
        StoreRefusedException failure = failure(acquire(LAST), StoreRefusedException.class);
        assertThat(failure.code()).isEqualTo("CLUSTERDOWN");
        assertThat(StoreFailure.isPassing(failure)).isTrue();
    }

    private static RenewRequest renewal(String key) {
        return new RenewRequest(new Claim.Lock(key), "token", 1000);
    }

    @Test
    void renewalsAreSplitBySlot() {
        List<HoldReply> replies =
                get(store.renew(List.of(renewal(LAST), renewal(FIRST), renewal("{a}:2")), CallMode.ASYNCHRONOUS));
        assertThat(replies).containsOnly(HoldReply.DONE).hasSize(3);
        assertThat(cluster.node(C).scripts()).isEqualTo(1);
        assertThat(cluster.node(A).scripts()).isEqualTo(1);
    }

    @Test
    void failureOfOneSlotDoesNotConcernTheOthers() {
        cluster.node(C).replies.add(new RedisErrorException("BUSY Redis is busy running a script."));
        List<HoldReply> replies = get(store.renew(List.of(renewal(LAST), renewal(FIRST)), CallMode.ASYNCHRONOUS));
        assertThat(replies.get(0)).isInstanceOf(HoldReply.Unknown.class);
        assertThat(replies.get(1)).isEqualTo(HoldReply.DONE);
    }

    @Test
    void renewalThatFailsAltogetherTellsWhy() {
        cluster.node(C).replies.add(new RedisErrorException("NOPERM this user has no permissions"));
        assertThat(failure(store.renew(List.of(renewal(LAST)), CallMode.ASYNCHRONOUS), StoreRefusedException.class)
                        .code())
                .isEqualTo("NOPERM");
    }

    @Test
    void leasesOfASlotThatIsBeingMovedAreRenewedOneByOne() {
        RedisErrorException ask = new RedisErrorException("ASK " + HashSlot.ofKey(LAST) + " " + B);
        cluster.node(C).replies.addAll(List.of(new RedisErrorException("TRYAGAIN Multiple keys request"), ask));
        List<HoldReply> replies = get(store.renew(List.of(renewal(LAST), renewal("{a}:2")), CallMode.ASYNCHRONOUS));
        assertThat(replies).containsOnly(HoldReply.DONE).hasSize(2);
        assertThat(cluster.node(B).log).endsWith("ASKING", "EVALSHA");
        assertThat(cluster.node(C).scripts()).isEqualTo(3);
    }

    @Test
    void refusalOfOneKeyDoesNotConcernOtherRenewalsOfItsSlot() {
        RedisErrorException refused = new RedisErrorException("NOPERM no permissions to access one of the keys");
        cluster.node(C).replies.addAll(List.of(refused, refused));
        List<HoldReply> replies =
                get(store.renew(List.of(renewal(LAST), renewal("{a}:2"), renewal(FIRST)), CallMode.ASYNCHRONOUS));
        assertThat(replies.get(0)).isInstanceOf(HoldReply.Unknown.class);
        assertThat(replies.subList(1, 3)).containsOnly(HoldReply.DONE);
    }

    @Test
    void severalLocksAreHeldIfEachOfThemIs() {
        Claim both = new Claim.Locks(List.of(LAST, "{a}:2"), List.of());
        cluster.node(C).replies.add(List.of(1L, List.of(0L, "other")));
        List<HoldReply> replies =
                get(store.renew(List.of(new RenewRequest(both, "token", 1000)), CallMode.ASYNCHRONOUS));
        assertThat(replies).containsExactly(new HoldReply.NotHeld(Optional.of("other")));
    }

    /** The server that replies may be another than the one whose clock the request knows. */
    @Test
    void timeOfAnotherServerIsLeftOut() {
        String channel = "keyhold:grants:client:";
        get(acquire(LAST));
        int number = 0;
        boolean told = false;
        while (!told) { // The names count the nodes in the order in which they were opened.
            told = isTimeTold(channel + ++number);
            assertThat(number).isLessThan(5);
        }
        assertThat(isTimeTold(channel + (number + 1))).isFalse();
        cluster.node(C).replies.add(List.of("holder", 500L, 123L, 1L));
        assertThat(get(acquire(LAST)))
                .matches(reply -> ((AcquireReply.Busy) reply).atMicros().isEmpty());
    }

    private boolean isTimeTold(String channel) {
        cluster.node(C).replies.add(List.of("holder", 500L, 123L, 1L));
        QueuePlace place = new QueuePlace(channel, 1, 1000, 0, 1, "token");
        AcquireReply reply = get(store.acquire(request(LAST, Optional.of(place)), CallMode.ASYNCHRONOUS, () -> {}));
        return ((AcquireReply.Busy) reply).atMicros().isPresent();
    }

    @Test
    void nodesThatLeftAreClosedLater() {
        cluster.configured = List.of(B);
        get(acquire(LAST));
        GrantSource left = store.grantSource(LAST);
        time.pass(Duration.ofSeconds(1));
        List.of(A, B, C).forEach(node -> cluster.tell(node, 2, 6000, 16_384));
        get(list(CallMode.ASYNCHRONOUS));
        store.trim();
        assertThat(cluster.node(C).closed || left.isClosed()).isFalse();
        store.trim();
        assertThat(cluster.node(C).closed && left.isClosed()).isTrue();
        assertThat(cluster.node(A).closed || cluster.node(B).closed).isFalse();
        store.close();
        assertThat(cluster.node(A).closed && cluster.node(B).closed && cluster.closed)
                .isTrue();
    }

    /** The engine keeps a channel and a clock for each source that it has met. */
    @Test
    void nodeThatCannotBeOpenedIsOneSource() {
        cluster.node(C).unknown = true;
        assertThat(failure(acquire(LAST), StoreUnavailableException.class)).hasMessageContaining("unknown");
        GrantSource source = store.grantSource(LAST);
        for (int i = 0; i < 3; i++) {
            time.pass(Duration.ofSeconds(1));
            failure(acquire(LAST), StoreUnavailableException.class);
            assertThat(store.grantSource(LAST)).isSameAs(source);
        }
        cluster.node(C).unknown = false;
        time.pass(Duration.ofSeconds(1));
        get(acquire(LAST));
        assertThat(cluster.node(C).scripts()).isEqualTo(1);
    }

    @Test
    void keysOfSeveralSlotsAreRefusedTogether() {
        assertThat(store.refusalOfSeveral(List.of(LAST, "{a}:2"))).isEmpty();
        assertThat(store.refusalOfSeveral(List.of(LAST, FIRST)).orElseThrow())
                .contains("'a', 'b'")
                .contains("common {tag}");
    }
}
