package io.keyhold.tests.faults;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.AcquireRequest.Coming;
import io.keyhold.internal.store.AcquireRequest.IfBusy;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.redis.ScriptStore;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisUri;
import io.keyhold.tests.Console;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that may not publish meets the entry of one that listens. Both are only their stores, so that nothing asks unless the test says so. */
class RefusedHandOverTest {

    private static final String KEY = "gpu";
    private static final Claim LOCK = new Claim.Lock(KEY);
    private static final Claim PERMIT = Claim.Permits.of(KEY, 1, new Limit(2, Limit.IfOther.REFUSE));
    /** So long that nothing ends by itself during a test. */
    private static final long LONG = Duration.ofMinutes(5).toMillis();

    private final EmbeddedRedis server = EmbeddedRedis.start();
    private final Console console = new Console(server.uri());
    private final JedisDriver driver = JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri())));
    private final ScriptStore permitted = new ScriptStore(driver, "permitted");
    private final JedisDriver silentDriver;
    private final ScriptStore silent;

    RefusedHandOverTest() {
        console.ask("ACL", "SETUSER", "silent", "on", ">pw", "~*", "&*", "+@all", "-publish");
        silentDriver =
                JedisDriver.open(RedisUri.parse(withLongTimeouts("redis://silent:pw@127.0.0.1:" + server.port())));
        silent = new ScriptStore(silentDriver, "silent");
    }

    private String channel = "";

    @BeforeEach
    void listen() throws Exception {
        channel = get(permitted.openGrantChannel(new Ignored())).orElseThrow().address();
    }

    @AfterEach
    void close() {
        silentDriver.close();
        driver.close();
        console.close();
        server.close();
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get();
    }

    private static AcquireReply acquire(ScriptStore store, Claim claim, String token) throws Exception {
        return acquire(store, new AcquireRequest(claim, token, LONG, AcquireRequest.IfFree.TAKE, IfBusy.GO_AWAY));
    }

    private static AcquireReply acquire(ScriptStore store, Claim claim, QueuePlace place, Coming coming)
            throws Exception {
        IfBusy ifBusy = new IfBusy(Optional.of(place), coming, AcquireRequest.Detail.FULL);
        return acquire(
                store,
                new AcquireRequest(claim, place.token(), place.leaseMillis(), AcquireRequest.IfFree.TAKE, ifBusy));
    }

    private static AcquireReply acquire(ScriptStore store, AcquireRequest request) throws Exception {
        return get(store.acquire(request, CallMode.BLOCKING, () -> {}));
    }

    private static QueuePlace place(String channel, String token, long lease) {
        return new QueuePlace(channel, 1, lease, 0, 1, token);
    }

    private long remainingMillis(String key) {
        return Long.parseLong(console.text("PTTL", key));
    }

    /** With the entry left behind, a later release would hand the lock over to a request that has ended. */
    @Test
    void requestThatTakesLockLeavesTheQueue() throws Exception {
        acquire(silent, LOCK, "holder.1");
        QueuePlace first = place(channel, "permitted.1", LONG);
        QueuePlace second = place("silent", "silent.1", LONG);
        acquire(permitted, LOCK, first, Coming.FIRST);
        acquire(silent, LOCK, second, Coming.FIRST);
        console.ask("DEL", KEY);
        assertThat(acquire(silent, LOCK, second, Coming.AGAIN)).isInstanceOf(AcquireReply.Granted.class);
        assertThat(console.ask("LRANGE", "{gpu}:kh:queue", "0", "-1")).isEqualTo(List.of(first.text()));
    }

    @Test
    void endlessGrantThatIsTakenBackLetsKeysExpire() throws Exception {
        acquire(permitted, PERMIT, "staying.1");
        acquire(silent, PERMIT, "leaving.1");
        QueuePlace endless = place(channel, "permitted.1", AcquireRequest.NO_EXPIRY);
        acquire(permitted, PERMIT, endless, Coming.FIRST);
        assertThat(get(silent.release(ReleaseRequest.of(PERMIT, "leaving.1"), CallMode.BLOCKING)))
                .isInstanceOf(HoldReply.Done.class);
        assertThat(console.ask("LRANGE", "{gpu}:kh:waiters", "0", "-1")).isEqualTo(List.of(endless.text()));
        assertThat(remainingMillis(KEY)).isPositive();
        assertThat(remainingMillis("{gpu}:kh:permits")).isGreaterThan(LONG);
    }

    private record Ignored() implements GrantSubscription.Listener {
        @Override
        public void granted(GrantNotice notice) {}

        @Override
        public void freed(long number) {}

        @Override
        public void probed() {}

        @Override
        public void ended(Throwable reason) {}
    }
}
