package io.keyhold.internal.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.KeyholdClock;
import io.keyhold.WrongKindException;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What cannot be seen from outside: entries of closed clients, when state is dropped, and keys that are used as two kinds. */
class MemoryPermitsTest {

    private static final long LEASE_MILLIS = 10_000;

    private final Clock clock = new Clock();
    private final MemoryStore store = new MemoryStore(clock);
    private final List<String> heard = new ArrayList<>();
    private long numbers;

    private static final class Clock implements KeyholdClock {

        // Near the end of the range, so that ends lie beyond it.
        long nanos = Long.MAX_VALUE - 1_000_000_000;
        long millis = 1_790_000_000_000L;

        @Override
        public long monotonicNanos() {
            return nanos;
        }

        @Override
        public long wallMillis() {
            return millis;
        }

        void pass(Duration time) {
            nanos += time.toNanos();
            millis += time.toMillis();
        }
    }

    private final class Hearing implements GrantSubscription.Listener {

        @Override
        public void granted(GrantNotice notice) {
            heard.add("granted " + notice.number());
        }

        @Override
        public void freed(long number) {
            heard.add("freed " + number);
        }

        @Override
        public void probed() {}

        @Override
        public void ended(Throwable reason) {}
    }

    private static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (RuntimeException e) {
            throw (RuntimeException) Stages.unwrapped(e);
        }
    }

    private GrantSubscription subscription() {
        return get(store.openGrantChannel(new Hearing())).orElseThrow();
    }

    private static Claim.Permits permits(int wanted, int limit) {
        return Claim.Permits.of("s", wanted, new Limit(limit, Limit.IfOther.REFUSE));
    }

    private AcquireReply take(Claim claim, String token) {
        return get(store.acquire(
                new AcquireRequest(
                        claim, token, LEASE_MILLIS, AcquireRequest.IfFree.TAKE, AcquireRequest.IfBusy.GO_AWAY),
                CallMode.BLOCKING,
                () -> {}));
    }

    private QueuePlace waits(GrantSubscription subscription, Claim claim, String token) {
        QueuePlace place =
                new QueuePlace(subscription.address(), ++numbers, LEASE_MILLIS, clock.millis, claim.permits(), token);
        asks(claim, place, AcquireRequest.Coming.FIRST);
        return place;
    }

    private AcquireReply asks(Claim claim, QueuePlace place, AcquireRequest.Coming coming) {
        AcquireRequest.IfBusy wait = new AcquireRequest.IfBusy(Optional.of(place), coming, AcquireRequest.Detail.FULL);
        return get(store.acquire(
                new AcquireRequest(claim, place.token(), LEASE_MILLIS, AcquireRequest.IfFree.TAKE, wait),
                CallMode.BLOCKING,
                () -> {}));
    }

    private HoldReply release(Claim claim, String token) {
        return get(store.release(ReleaseRequest.of(claim, token), CallMode.BLOCKING));
    }

    private HoldReply renew(Claim claim, String token, long leaseMillis) {
        return get(store.renew(List.of(new RenewRequest(claim, token, leaseMillis)), CallMode.BLOCKING))
                .get(0);
    }

    private Optional<LockSnapshot> look() {
        return get(store.lookAtPermits("s", CallMode.BLOCKING));
    }

    private int available() {
        return look().orElseThrow().availablePermits();
    }

    private static long number(AcquireReply reply) {
        return ((AcquireReply.Granted) reply).fencingToken();
    }

    @Test
    void waiterOfClosedClientIsSkipped() {
        GrantSubscription gone = subscription();
        GrantSubscription here = subscription();
        take(permits(1, 2), "a");
        waits(gone, permits(2, 2), "large");
        QueuePlace small = waits(here, permits(1, 2), "small");
        assertThat(heard).isEmpty();

        gone.close();
        asks(permits(1, 2), small, AcquireRequest.Coming.AGAIN);

        assertThat(available()).isZero();
    }

    @Test
    void pollingWaiterKeepsItsPlaceWithoutChannel() {
        GrantSubscription old = subscription();
        take(permits(1, 1), "a");
        QueuePlace first = waits(old, permits(1, 1), "first");
        waits(subscription(), permits(1, 1), "second");
        old.close();
        clock.pass(Duration.ofMillis(LEASE_MILLIS));

        assertThat(asks(permits(1, 1), first, AcquireRequest.Coming.AGAIN)).isInstanceOf(AcquireReply.Granted.class);
        assertThat(heard).isEmpty();
    }

    @Test
    void tokenThatWaitsTwiceHoldsOnce() {
        GrantSubscription subscription = subscription();
        take(permits(2, 2), "a");
        waits(subscription, permits(1, 2), "twice");
        waits(subscription, permits(1, 2), "twice");
        release(permits(2, 2), "a");

        assertThat(heard).containsExactly("granted 1", "granted 2");
        assertThat(available()).isEqualTo(1);
        assertThat(release(permits(1, 2), "twice")).isEqualTo(HoldReply.DONE);
        assertThat(available()).isEqualTo(2);
    }

    @Test
    void secondEntryOfTokenDoesNotShortenItsHold() {
        GrantSubscription subscription = subscription();
        take(permits(1, 2), "a");
        take(permits(1, 2), "b");
        waits(subscription, permits(1, 2), "twice");
        waits(subscription, permits(1, 2), "twice");
        release(permits(1, 2), "a");
        renew(permits(1, 2), "twice", 3 * LEASE_MILLIS);
        release(permits(1, 2), "b");
        assertThat(heard).containsExactly("granted 1", "granted 2");

        clock.pass(Duration.ofMillis(2 * LEASE_MILLIS));
        assertThat(renew(permits(1, 2), "twice", AcquireRequest.NO_EXPIRY)).isEqualTo(HoldReply.DONE);
        assertThat(available()).isEqualTo(1);
    }

    @Test
    void requestAboveItsOwnLimitIsRefused() {
        Claim tooMuch = Claim.Permits.of("s", 5, new Limit(2, Limit.IfOther.JOIN));

        assertThat(take(tooMuch, "a")).isEqualTo(new AcquireReply.OtherLimit(2));
        assertThat(look()).isEmpty();
    }

    @Test
    void shrinkingFailsTooLargeWaitersAndServesRest() {
        GrantSubscription subscription = subscription();
        take(permits(3, 3), "a");
        QueuePlace large = waits(subscription, permits(3, 3), "large");
        waits(subscription, permits(1, 3), "small");
        take(permits(3, 3), "a");
        assertThat(get(store.resize("s", 3, 2, CallMode.BLOCKING))).isEqualTo(3);
        clock.pass(Duration.ofMillis(LEASE_MILLIS));

        assertThat(release(permits(1, 3), "stranger")).isInstanceOf(HoldReply.NotHeld.class);

        assertThat(heard).containsExactly("freed 1", "granted 2");
        assertThat(asks(permits(3, 3), large, AcquireRequest.Coming.AGAIN)).isEqualTo(new AcquireReply.OtherLimit(2));
        assertThat(look().orElseThrow().waiterCount()).isZero();
    }

    @Test
    void resizeServesByNewLimit() {
        GrantSubscription subscription = subscription();
        take(permits(2, 2), "a");
        waits(subscription, permits(1, 2), "b");
        waits(subscription, permits(1, 2), "c");
        clock.pass(Duration.ofMillis(LEASE_MILLIS));

        get(store.resize("s", 2, 1, CallMode.BLOCKING));

        assertThat(heard).containsExactly("granted 1");
        assertThat(look().orElseThrow().permits()).isEqualTo(1);
        assertThat(available()).isZero();
    }

    @Test
    void tokensGrowByStrideWhileClockIsStopped() {
        long first = number(take(permits(1, 2), "a"));

        assertThat(number(take(permits(1, 2), "b"))).isEqualTo(first + LockValue.STRIDE);
        assertThat(number(take(permits(1, 2), "a"))).isEqualTo(first);
    }

    @Test
    void renewalNeverShortensHold() {
        take(permits(1, 1), "a");
        renew(permits(1, 1), "a", 1);
        clock.pass(Duration.ofMillis(LEASE_MILLIS - 1));
        assertThat(renew(permits(1, 1), "a", AcquireRequest.NO_EXPIRY)).isEqualTo(HoldReply.DONE);

        clock.pass(Duration.ofMillis(1));
        assertThat(renew(permits(1, 1), "a", LEASE_MILLIS)).isInstanceOf(HoldReply.NotHeld.class);
    }

    @Test
    void inspectionIgnoresExpiredHoldersWithoutPurging() {
        take(permits(1, 3), "a");
        clock.pass(Duration.ofMillis(LEASE_MILLIS / 2));
        take(permits(2, 3), "b");
        clock.pass(Duration.ofMillis(LEASE_MILLIS / 2));

        LockSnapshot seen = look().orElseThrow();

        assertThat(seen.permits()).isEqualTo(3);
        assertThat(seen.availablePermits()).isEqualTo(1);
        assertThat(seen.holders()).extracting(LockHolder::token).containsExactly("b");
        assertThat(seen.holderCount()).isEqualTo(1);
    }

    @Test
    void semaphoreIsDroppedOneDayAfterLastLease() {
        take(permits(1, 2), "a");
        clock.pass(Limit.RETENTION.plusMillis(LEASE_MILLIS - 1));
        assertThat(take(permits(1, 3), "b")).isEqualTo(new AcquireReply.OtherLimit(2));

        clock.pass(Duration.ofMillis(1));
        assertThat(take(permits(1, 3), "b")).isInstanceOf(AcquireReply.Granted.class);
    }

    @Test
    void keyHasOneKindWhileHeld() {
        Claim lock = new Claim.Lock("s");
        take(permits(1, 2), "a");

        assertThatThrownBy(() -> take(lock, "b"))
                .isInstanceOfSatisfying(
                        WrongKindException.class,
                        refused -> assertThat(refused.found()).contains(LockKind.SEMAPHORE))
                .hasMessage("cannot acquire lock 's': the key is in use as a semaphore; choose another key");
        assertThatThrownBy(() -> take(new Claim.Locks(List.of("other", "s"), List.of()), "b"))
                .isInstanceOf(WrongKindException.class);
        assertThat(get(store.look("other", CallMode.BLOCKING)).holderCount()).isZero();
        assertThat(release(lock, "a")).isEqualTo(new HoldReply.NotHeld(Optional.of("a semaphore")));
        assertThat(renew(lock, "a", LEASE_MILLIS)).isEqualTo(new HoldReply.NotHeld(Optional.of("a semaphore")));

        clock.pass(Duration.ofMillis(LEASE_MILLIS));
        take(lock, "b");

        assertThatThrownBy(() -> take(permits(1, 2), "c"))
                .isInstanceOf(WrongKindException.class)
                .hasMessage("cannot acquire semaphore 's': the key is in use as a lock; choose another key");
        assertThatThrownBy(() -> get(store.resize("s", 2, 3, CallMode.BLOCKING)))
                .isInstanceOf(WrongKindException.class);
        assertThat(release(permits(1, 2), "b")).isEqualTo(new HoldReply.NotHeld(Optional.of("a lock")));
        assertThat(look()).isEmpty();
        assertThat(get(store.look("s", CallMode.BLOCKING)).holderCount()).isEqualTo(1);
    }
}
