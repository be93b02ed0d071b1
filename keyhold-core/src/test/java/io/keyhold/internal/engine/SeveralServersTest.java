package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.RENEWED;
import static io.keyhold.internal.engine.EngineFixture.STRICT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.KeyholdClock;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LockOptions;
import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.engine.TroubledChannel.Messages;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.event.Listeners;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantSource;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.Renewals;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A store of several servers, each with a clock and a grant channel of its own. */
class SeveralServersTest {

    private final ManualTime time = new ManualTime();
    private final Server first = new Server(time);
    /** Its clock is an hour behind. */
    private final Server second = new Server(new KeyholdClock() {
        @Override
        public long monotonicNanos() {
            return time.monotonicNanos() - Duration.ofHours(1).toNanos();
        }

        @Override
        public long wallMillis() {
            return time.wallMillis() - Duration.ofHours(1).toMillis();
        }
    });

    private final Servers servers = new Servers();
    private final Engine client = engine("client");
    private final Engine other = engine("other");

    private Engine engine(String name) {
        return new Engine(servers, time, time, Runnable::run, new TokenText(name), new Random(1), Listeners.Setup.NONE);
    }

    private static CompletableFuture<Optional<Lease>> request(Engine client, String key) {
        return request(client, key, STRICT);
    }

    private static CompletableFuture<Optional<Lease>> request(Engine client, String key, LockOptions options) {
        return client.tryAcquireAsync(new AcquireSpec(LockKey.of("", key), options, WaitPlan.of(options)));
    }

    private static Lease lease(CompletableFuture<Optional<Lease>> request) {
        assertThat(request).isCompleted();
        return request.join().orElseThrow();
    }

    @Test
    void grantIsDatedByTheClockOfItsServer() {
        servers.owners.put("a", first);
        servers.owners.put("b", second);
        Lease held = lease(request(other, "a"));
        lease(request(other, "b"));
        CompletableFuture<Optional<Lease>> waiting = request(client, "a");
        request(client, "b"); // Its reply tells the time of the second server.
        first.store.channel.messages = Messages.HELD_BACK;
        held.release();
        time.pass(Duration.ofSeconds(4));
        first.store.channel.deliver();
        Duration remaining = lease(waiting).remaining();
        assertThat(remaining).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
    }

    @Test
    void waiterFollowsItsKeyToAnotherServer() {
        servers.owners.put("a", first);
        lease(request(other, "a"));
        CompletableFuture<Optional<Lease>> waiting = request(client, "a");
        CompletableFuture<Optional<Lease>> queued = request(client, "a");
        servers.owners.put("a", second);
        Lease there = lease(request(other, "a"));
        servers.moves.forEach(Runnable::run);
        time.pass(Duration.ofMillis(1)); // The old entries, which have moved too, are withdrawn in the background.
        assertThat(waiting).isNotDone();
        there.release(); // They have asked again in any order.
        assertThat(Stream.of(waiting, queued).filter(CompletableFuture::isDone)).hasSize(1);
        lease(waiting.isDone() ? waiting : queued).release();
        assertThat(waiting).isDone();
        assertThat(queued).isDone();
    }

    @Test
    void waiterOfAKeyThatStayedIsNotDisturbed() {
        servers.owners.put("a", first);
        servers.owners.put("c", first);
        lease(request(other, "a"));
        lease(request(other, "c"));
        request(client, "a");
        request(client, "c");
        servers.owners.put("a", second);
        first.store.log.clear();
        servers.moves.forEach(Runnable::run);
        assertThat(first.store.log).isEmpty();
        assertThat(second.store.log).contains("acquire a");
    }

    @Test
    void silentServerDoesNotHoldUpTheRenewalsOfOthers() {
        servers.owners.put("a", first);
        servers.owners.put("b", second);
        servers.owners.put("gone", second);
        Lease unreachable = lease(request(client, "a", RENEWED));
        Lease renewed = lease(request(client, "b", RENEWED));
        Lease gone = lease(request(client, "gone", RENEWED));
        second.store.forceRelease("gone", CallMode.BLOCKING);
        first.store.always = Trouble.REQUEST_FAILS_WHEN_DELIVERED;
        time.pass(Duration.ofSeconds(15));
        assertThat(gone.lost()).isCompletedWithValueMatching(loss -> loss.reason() == LeaseLost.Reason.GONE);
        time.pass(Duration.ofSeconds(15));
        assertThat(unreachable.lost())
                .isCompletedWithValueMatching(loss -> loss.reason() == LeaseLost.Reason.UNREACHABLE);
        assertThat(renewed.isHeld()).isTrue();
    }

    @Test
    void deadServerDoesNotHoldUpTheBackgroundReleasesOfOthers() {
        servers.owners.put("a", first);
        servers.owners.put("b", second);
        lease(request(other, "a"));
        Lease held = lease(request(client, "b"));
        List<CompletableFuture<Optional<Lease>>> waiting =
                Stream.generate(() -> request(client, "a")).limit(20).toList();
        first.store.always = Trouble.NOT_CONNECTED;
        waiting.forEach(request -> request.cancel(false));
        time.pass(Duration.ofMillis(1));
        second.store.troubles.add(Trouble.NOT_CONNECTED);
        assertThatThrownBy(held::release).isInstanceOf(StoreUnavailableException.class);
        time.pass(Duration.ofMillis(1));
        lease(request(other, "b"));
    }

    /** A server that has been forgotten is not asked again whether it is closed. */
    @Test
    void closedServerIsForgottenWhenNothingWaitsThere() {
        servers.owners.put("a", first);
        Lease held = lease(request(other, "a"));
        CompletableFuture<Optional<Lease>> waiting = request(client, "a");
        first.closed = true;
        assertThat(questionsWithAnotherServer()).isPositive();
        assertThat(questionsWithAnotherServer()).as("a request waits there").isPositive();
        held.release();
        lease(waiting).release();
        first.end();
        assertThat(questionsWithAnotherServer()).isPositive();
        assertThat(questionsWithAnotherServer()).isZero();
    }

    /** Returns how often the first server is asked when the clients meet one that they do not know. */
    private int questionsWithAnotherServer() {
        int before = first.questions;
        servers.owners.put("b", new Server(time));
        lease(request(other, "b"));
        request(client, "b").cancel(false);
        return first.questions - before;
    }

    /** One server, and the listeners of its grant channel. */
    private static final class Server implements GrantSource {

        final TroubledStore store;
        private final Map<GrantSubscription.Listener, Integer> listeners = new HashMap<>();

        private boolean closed;
        private int questions;

        Server(KeyholdClock clock) {
            store = new TroubledStore(clock);
        }

        @Override
        public boolean isClosed() {
            questions++;
            return closed;
        }

        void end() {
            List.copyOf(listeners.keySet()).forEach(listener -> listener.ended(new IllegalStateException("closed")));
        }

        /** Each client has its own channel, as if on its own connection. */
        @Override
        public CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener) {
            listeners.put(listener, 1);
            return listeners.size() == 1 ? store.openGrantChannel(listener) : store.server.openGrantChannel(listener);
        }
    }

    private static final class Servers implements LockStore {

        final Map<String, Server> owners = new HashMap<>();
        final List<Runnable> moves = new ArrayList<>();

        @Override
        public void onMoves(Runnable action) {
            moves.add(action);
        }

        private TroubledStore owner(Claim claim) {
            return server(claim.key()).store;
        }

        private Server server(String key) {
            return Objects.requireNonNull(owners.get(key), key);
        }

        @Override
        public GrantSource grantSource(String key) {
            return server(key);
        }

        @Override
        public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
            return owner(request.claim()).acquire(request, mode, sending);
        }

        @Override
        public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
            return owner(request.claim()).release(request, mode);
        }

        @Override
        public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
            Renewals renewals = new Renewals(requests);
            return renewals.inGroups(part -> server(part.key()), group -> renew(renewals, group, mode))
                    .thenApply(all -> renewals.replies());
        }

        private CompletionStage<Void> renew(Renewals renewals, List<Renewals.Part> group, CallMode mode) {
            return owner(group.get(0).renewal().claim())
                    .renew(group.stream().map(Renewals.Part::renewal).toList(), mode)
                    .thenAccept(replies -> renewals.replied(group, replies));
        }

        @Override
        public CompletionStage<LockSnapshot> look(String key, CallMode mode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Optional<LockSnapshot>> lookAtPermits(String key, CallMode mode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
