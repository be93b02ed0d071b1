package io.keyhold.tests.whole;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.memory.MemoryStore;
import io.keyhold.internal.store.redis.ScriptStore;
import io.keyhold.internal.time.SystemClock;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisUri;
import io.keyhold.spi.Stages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * The rules of locks and semaphores exist twice, in the scripts and in memory. Both stores make the same of the same random requests. Nothing
 * expires here, so that the time of a reply does not matter.
 */
class StoreParityTest extends OneServer {

    private static final long LONG = TimeUnit.MINUTES.toMillis(10);
    private static final int PERMITS = 4;
    private static final int ROUNDS = 40;
    private static final int STEPS = 60;
    private static final List<String> KEYS = List.of("k0", "k1", "k2");
    private static final Claim SEVERAL = new Claim.Locks(List.of("k0", "k2"), List.of());

    private enum Kind {
        LOCK,
        SEVERAL_LOCKS,
        SEMAPHORE,
        READ_WRITE
    }

    @Test
    void storesAgreeOnRandomRequests() throws Exception {
        try (JedisDriver driver = JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri())))) {
            for (int i = 0; i < ROUNDS; i++) {
                console.ask("FLUSHALL");
                try (Client one = new Client(driver, "one" + i);
                        Client two = new Client(driver, "two" + i)) {
                    new Round(Kind.values()[i % Kind.values().length], List.of(one, two)).run();
                }
            }
        }
    }

    private static Object get(CompletionStage<?> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (RuntimeException e) {
            return Stages.unwrapped(e).getClass().getSimpleName();
        }
    }

    /** What has to be equal. Fencing tokens differ, and of holders that began in the same millisecond either may be the first to end. */
    private static String shown(Object reply) {
        if (reply instanceof AcquireReply.Granted) {
            return "granted";
        }
        if (reply instanceof AcquireReply.Busy busy) {
            return "busy, " + (busy.holder().isPresent() ? "held" : "free");
        }
        if (reply instanceof HoldReply.Done done) {
            return "done " + done.grants().stream().map(GrantNotice::number).toList();
        }
        if (reply instanceof HoldReply.NotHeld) {
            return "not held";
        }
        if (reply instanceof List<?> several) {
            return several.stream().map(StoreParityTest::shown).toList().toString();
        }
        if (reply instanceof Optional<?> optional) {
            return optional.map(StoreParityTest::shown).orElse("none");
        }
        if (reply instanceof LockSnapshot seen) {
            List<String> holders =
                    seen.holders().stream().map(StoreParityTest::shown).sorted().toList();
            return seen.kind() + " " + seen.availablePermits() + " of " + seen.permits() + " " + holders + " "
                    + seen.queue().stream().map(LockWaiter::token).toList();
        }
        return String.valueOf(reply);
    }

    private static String shown(LockHolder holder) {
        return holder.token() + " " + holder.permits();
    }

    /** Notes the grants. Either store may tell a waiter to ask without need. */
    private static final class Granted implements GrantSubscription.Listener {

        final List<Long> numbers = new ArrayList<>();
        final CyclicBarrier probed = new CyclicBarrier(2);

        @Override
        public void granted(GrantNotice notice) {
            numbers.add(notice.number());
        }

        @Override
        public void freed(long number) {}

        @Override
        public void probed() {
            try {
                probed.await(1, TimeUnit.MINUTES);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void ended(Throwable reason) {}
    }

    private static final class Client implements AutoCloseable {

        final ScriptStore scripts;
        final Granted byScripts = new Granted();
        final Granted byMemory = new Granted();
        final GrantSubscription subscription;

        Client(JedisDriver driver, String id) {
            scripts = new ScriptStore(driver, id);
            subscription = scripts.openGrantChannel(byScripts)
                    .toCompletableFuture()
                    .join()
                    .orElseThrow();
        }

        /** Every message that was sent before is heard after that. */
        void hear() throws Exception {
            subscription.probe();
            byScripts.probed.await(1, TimeUnit.MINUTES);
        }

        @Override
        public void close() {
            subscription.close();
        }
    }

    private static final class Round {

        private final Random random = new Random();
        private final Kind kind;
        private final List<Client> clients;
        private final MemoryStore memory = new MemoryStore(SystemClock.INSTANCE);
        private final Map<String, Claim> claims = new HashMap<>();
        private final List<String> tokens = new ArrayList<>(List.of("stranger.1"));
        private final List<QueuePlace> places = new ArrayList<>();
        private final List<String> log = new ArrayList<>();

        Round(Kind kind, List<Client> clients) {
            this.kind = kind;
            this.clients = clients;
            clients.forEach(client -> get(memory.openGrantChannel(client.subscription.address(), client.byMemory)));
            claims.put("stranger.1", claim());
        }

        private boolean isPermits() {
            return kind == Kind.SEMAPHORE || kind == Kind.READ_WRITE;
        }

        private <T> T any(List<T> all) {
            return all.get(random.nextInt(all.size()));
        }

        private boolean oneIn(int many) {
            return random.nextInt(many) == 0;
        }

        private Claim claim() {
            return switch (kind) {
                case LOCK -> new Claim.Lock("k0");
                case SEVERAL_LOCKS -> oneIn(4) ? SEVERAL : new Claim.Lock(any(KEYS));
                case SEMAPHORE ->
                    Claim.Permits.of(
                            "k0",
                            1 + random.nextInt(PERMITS),
                            new Limit(oneIn(10) ? PERMITS + 3 : PERMITS, any(List.of(Limit.IfOther.values()))));
                case READ_WRITE -> Claim.Permits.of("k0", oneIn(2) ? 1 : Limit.READ_WRITE, Limit.readWrite());
            };
        }

        private Claim claimOf(String token) {
            return Objects.requireNonNull(claims.get(token));
        }

        void run() throws Exception {
            for (int i = 0; i < STEPS; i++) {
                step(any(clients), random.nextInt(100));
                for (String key : kind == Kind.SEVERAL_LOCKS ? KEYS : List.of("k0")) {
                    both(
                            any(clients),
                            "look at " + key,
                            store -> isPermits()
                                    ? store.lookAtPermits(key, CallMode.BLOCKING)
                                    : store.look(key, CallMode.BLOCKING));
                }
            }
        }

        private void step(Client client, int what) throws Exception {
            String token = any(tokens);
            if (what < 40) {
                acquire(client);
            } else if (what < 50 && !places.isEmpty()) {
                QueuePlace place = any(places);
                acquire(
                        client,
                        place.token(),
                        AcquireRequest.IfFree.TAKE,
                        Optional.of(place),
                        AcquireRequest.Coming.AGAIN);
            } else if (what < 75) {
                Optional<String> channel = oneIn(3) && !claimOf(token).equals(SEVERAL)
                        ? Optional.of(client.subscription.address())
                        : Optional.empty();
                release(
                        client,
                        ReleaseRequest.of(claimOf(token), token)
                                .replyingTo(channel)
                                .resting(oneIn(6) ? LONG : 0));
            } else if (what < 83 && !places.isEmpty()) {
                QueuePlace place = any(places);
                release(client, new ReleaseRequest(claimOf(place.token()), place.token(), Optional.of(place)));
            } else if (what < 88) {
                List<RenewRequest> renewals =
                        List.of(new RenewRequest(claimOf(token), token, oneIn(2) ? AcquireRequest.NO_EXPIRY : LONG));
                both(client, renewals.toString(), store -> store.renew(renewals, CallMode.BLOCKING));
            } else if (what < 93 && isPermits()) {
                int said = kind == Kind.READ_WRITE ? Limit.READ_WRITE : PERMITS;
                int permits = 1 + random.nextInt(2 * PERMITS);
                both(client, "resize to " + permits, store -> store.resize("k0", said, permits, CallMode.BLOCKING));
            } else if (what < 95) {
                both(client, "force", store -> store.forceRelease("k0", CallMode.BLOCKING));
            }
        }

        private void acquire(Client client) throws Exception {
            String token = "client." + tokens.size();
            Claim claim = claim();
            claims.put(token, claim);
            Optional<QueuePlace> place = oneIn(3) || claim.equals(SEVERAL)
                    ? Optional.empty()
                    : Optional.of(new QueuePlace(
                            client.subscription.address(), tokens.size(), LONG, 0, claim.permits(), token));
            tokens.add(token);
            boolean leaves = place.isEmpty() && oneIn(3);
            acquire(
                    client,
                    token,
                    leaves ? AcquireRequest.IfFree.LEAVE : AcquireRequest.IfFree.TAKE,
                    place,
                    AcquireRequest.Coming.FIRST);
            place.ifPresent(places::add);
        }

        private void acquire(
                Client client,
                String token,
                AcquireRequest.IfFree ifFree,
                Optional<QueuePlace> place,
                AcquireRequest.Coming coming)
                throws Exception {
            AcquireRequest.IfBusy ifBusy = new AcquireRequest.IfBusy(place, coming, AcquireRequest.Detail.FULL);
            AcquireRequest request = new AcquireRequest(claimOf(token), token, LONG, ifFree, ifBusy);
            both(client, request.toString(), store -> store.acquire(request, CallMode.BLOCKING, () -> {}));
        }

        private void release(Client client, ReleaseRequest request) throws Exception {
            both(client, request.toString(), store -> store.release(request, CallMode.BLOCKING));
            places.removeIf(place -> place.token().equals(request.token())); // A token is used for one hold.
        }

        private void both(Client client, String what, Function<LockStore, CompletionStage<?>> work) throws Exception {
            String byScripts = shown(get(work.apply(client.scripts)));
            String byMemory = shown(get(work.apply(memory)));
            log.add(what + " -> " + byScripts);
            String steps = String.join("\n", log);
            assertThat(byMemory).as(steps).isEqualTo(byScripts);
            for (Client each : clients) {
                each.hear();
                assertThat(each.byMemory.numbers).as(steps).isEqualTo(each.byScripts.numbers);
            }
        }
    }
}
