package io.keyhold.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SentinelDriverTest {

    private static final RedisAddress A = new RedisAddress("10.0.0.1", 6379);
    private static final RedisAddress B = new RedisAddress("10.0.0.2", 6379);
    private static final RedisCall PING = RedisCall.of("PING");

    private final FakeServer first = FakeServer.sentinel("s1:26379", A, 1);
    private final FakeServer second = FakeServer.sentinel("s2:26379", A, 1);
    private final FakeServer third = FakeServer.sentinel("s3:26379", A, 1);
    private final Map<RedisAddress, FakeServer> servers =
            new HashMap<>(Map.of(A, FakeServer.withRole("A", "master"), B, FakeServer.withRole("B", "master")));
    private final SentinelDriver driver = new SentinelDriver("main", List.of(first, second, third), this::server);

    private FakeServer server(RedisAddress address) {
        return Objects.requireNonNull(servers.get(address));
    }

    private CompletableFuture<@Nullable Object> ping() {
        return driver.call(PING, CallMode.BLOCKING).toCompletableFuture();
    }

    private static Throwable failure(CompletableFuture<?> call) {
        try {
            throw new AssertionError("did not fail: " + call.join());
        } catch (CompletionException e) {
            return Stages.unwrapped(e);
        }
    }

    private void failOver() {
        List.of(first, second, third).forEach(sentinel -> sentinel.names(B, 2));
    }

    @Test
    void nothingIsSentBeforeTheFirstCall() {
        assertThat(first.received).isEmpty();
        assertThat(driver.address()).isEqualTo("master 'main' of sentinels s1:26379, s2:26379, s3:26379");
    }

    @Test
    void callsGoToTheMaster() {
        assertThat(ping().join()).isEqualTo("A");
        assertThat(ping().join()).isEqualTo("A");
        assertThat(server(A).received).containsExactly("ROLE", "PING", "PING");
        assertThat(second.received).containsExactly("SENTINEL");
    }

    /** Lettuce completes calls on the thread that reads the replies of sentinels, too, and a call may be repeated there. */
    @Test
    void blockingCallDoesNotWaitForTheLookup() {
        CompletableFuture<@Nullable Object> role = new CompletableFuture<>();
        server(A).repliesLater("ROLE", role);
        CompletableFuture<@Nullable Object> call = assertTimeoutPreemptively(Duration.ofSeconds(30), this::ping);
        assertThat(call).isNotDone();
        role.complete(List.of("master"));
        assertThat(call.join()).isEqualTo("A");
    }

    @Test
    void demotedMasterIsLookedUpAgain() {
        ping().join();
        failOver();
        server(A).fails("PING", new RedisErrorException("READONLY You can't write against a read only replica."));
        assertThat(failure(ping())).hasMessageStartingWith("READONLY");
        assertThat(ping().join()).isEqualTo("B");
        assertThat(server(A).closed).isTrue();
    }

    @Test
    void brokenConnectionLooksTheMasterUpAgain() {
        ping().join();
        failOver();
        server(A).fails("PING", DriverFailures.broken("A", new java.io.IOException("reset")));
        assertThat(failure(ping())).isInstanceOf(RedisConnectionException.class);
        assertThat(ping().join()).isEqualTo("B");
    }

    @Test
    void otherErrorsDoNotLookItUp() {
        ping().join();
        failOver();
        server(A).fails("PING", new RedisErrorException("NOPERM no"));
        failure(ping());
        failure(ping());
        assertThat(first.received).containsExactly("SENTINEL", "SUBSCRIBE +switch-master");
    }

    @Test
    void sameMasterKeepsItsDriver() {
        ping().join();
        server(A).fails("PING", DriverFailures.lost("A"));
        failure(ping());
        server(A).replies("PING", "A again");
        assertThat(ping().join()).isEqualTo("A again");
        assertThat(server(A).closed).isFalse();
        assertThat(server(A).received).containsExactly("ROLE", "PING", "PING", "ROLE", "PING");
    }

    @Test
    void newestConfigurationWins() {
        second.names(B, 7);
        assertThat(ping().join()).isEqualTo("B");
    }

    @Test
    void majorityIsEnough() {
        third.repliesLater("SENTINEL", new CompletableFuture<>());
        assertThat(ping().join()).isEqualTo("A");
    }

    @Test
    void oneReplyIsEnoughWhenTheOthersFail() {
        first.fails("SENTINEL", DriverFailures.lost("s1"));
        second.fails("SENTINEL", DriverFailures.lost("s2"));
        assertThat(ping().join()).isEqualTo("A");
    }

    @Test
    void replicaIsRefused() {
        server(A).replies("ROLE", List.of("slave"));
        Throwable failure = failure(ping());
        assertThat(failure).hasMessageContaining("10.0.0.1:6379 as master, but it is a replica");
        assertThat(((RedisConnectionException) failure).failure()).isEqualTo(Failure.NOT_CONNECTED);
        assertThat(server(A).closed).isTrue();
    }

    @Test
    void unknownMasterIsAnError() {
        RedisErrorException unknown = new RedisErrorException("ERR No such master with that name");
        List.of(first, second, third).forEach(sentinel -> sentinel.fails("SENTINEL", unknown));
        assertThat(failure(ping()))
                .isInstanceOf(RedisErrorException.class)
                .hasMessageContaining("no sentinel knows the master 'main'")
                .hasMessageContaining("s1:26379: ERR No such master");
    }

    /** The others may know it. A request that waits must not fail for the one that does not. */
    @Test
    void unknownMasterIsAnOutageWhileSentinelsAreGone() {
        first.fails("SENTINEL", new RedisErrorException("ERR No such master with that name"));
        List.of(second, third).forEach(sentinel -> sentinel.fails("SENTINEL", DriverFailures.lost(sentinel.address())));
        assertThat(failure(ping()))
                .isInstanceOf(RedisConnectionException.class)
                .hasMessageContaining("s1:26379: ERR No such master");
    }

    @Test
    void unreachableSentinelsAreNamed() {
        List.of(first, second, third)
                .forEach(sentinel -> sentinel.fails("SENTINEL", DriverFailures.lost(sentinel.address())));
        assertThat(failure(ping()))
                .isInstanceOf(RedisConnectionException.class)
                .hasMessageContaining("no sentinel of 'main' can be reached")
                .hasMessageContaining("s3:26379");
    }

    @Test
    void masterIsKeptWhileNoSentinelCanBeReached() {
        ping().join();
        List.of(first, second, third)
                .forEach(sentinel -> sentinel.fails("SENTINEL", DriverFailures.lost(sentinel.address())));
        server(A).fails("PING", DriverFailures.lost("A"));
        failure(ping());
        server(A).replies("PING", "A again");
        assertThat(ping().join()).isEqualTo("A again");
        server(A).fails("PING", DriverFailures.lost("A"));
        failure(ping());
        server(A).replies("ROLE", List.of("slave"));
        assertThat(failure(ping())).hasMessageContaining("it is a replica");
    }

    @Test
    void failedLookupMeansNotSent() {
        server(A).fails("ROLE", DriverFailures.timedOut("A", Duration.ofSeconds(2), new RuntimeException()));
        Throwable failure = failure(ping());
        assertThat(((RedisConnectionException) failure).failure()).isEqualTo(Failure.NOT_CONNECTED);
    }

    @Test
    void announcedSwitchClosesTheOldDriverAtOnce() {
        ping().join();
        failOver();
        Objects.requireNonNull(first.listener).onMessage("other 10.0.0.1 6379 10.0.0.2 6379");
        assertThat(server(A).closed).isFalse();
        Objects.requireNonNull(first.listener).onMessage("main 10.0.0.1 6379 10.0.0.2 6379");
        assertThat(server(A).closed).isTrue();
        assertThat(ping().join()).isEqualTo("B");
    }

    /** The others may learn of it later, and the old master says for seconds that it is one. */
    @Test
    void announcedSwitchIsFollowedBeforeOtherSentinelsKnow() {
        ping().join();
        CompletableFuture<@Nullable Object> slow = new CompletableFuture<>();
        first.repliesLater("SENTINEL", slow);
        Objects.requireNonNull(first.listener).onMessage("main 10.0.0.1 6379 10.0.0.2 6379");
        slow.complete(FakeServer.told(B, 2, "master"));
        assertThat(ping().join()).isEqualTo("B");
        assertThat(server(A).closed).isTrue();
    }

    @Test
    void announcementThatNoSentinelConfirmsIsForgotten() {
        ping().join();
        Objects.requireNonNull(first.listener).onMessage("main 10.0.0.1 6379 10.0.0.2 6379");
        assertThat(ping().join()).isEqualTo("A");
        third.repliesLater("SENTINEL", new CompletableFuture<>());
        server(A).fails("PING", DriverFailures.lost("A"));
        failure(ping());
        server(A).replies("PING", "A again");
        assertThat(ping().join()).isEqualTo("A again");
    }

    /** It has the new epoch as soon as the replica is promoted, and the new master when the other replicas follow that. */
    @Test
    void sentinelThatLeadsFailoverNamesOldMaster() {
        first.replies("SENTINEL", FakeServer.told(A, 2, "master,failover_in_progress"));
        second.names(B, 2);
        assertThat(ping().join()).isEqualTo("B");
    }

    /** A master that is demoted on purpose says that it is one for some time. */
    @Test
    void switchThatIsAnnouncedDuringALookupIsFollowed() {
        ping().join();
        server(A).fails("PING", DriverFailures.lost("A"));
        failure(ping());
        server(A).replies("PING", "A");
        CompletableFuture<@Nullable Object> role = new CompletableFuture<>();
        server(A).repliesLater("ROLE", role);
        CompletableFuture<@Nullable Object> call = ping();
        failOver();
        Objects.requireNonNull(first.listener).onMessage("main 10.0.0.1 6379 10.0.0.2 6379");
        role.complete(List.of("master"));
        assertThat(call).isDone();
        assertThat(ping().join()).isEqualTo("B");
        assertThat(server(A).closed).isTrue();
    }

    @Test
    void nextLookupSubscribesAgain() {
        ping().join();
        Objects.requireNonNull(first.listener).onClosed(DriverFailures.lost("s1"));
        first.fails("SENTINEL", DriverFailures.lost("s1"));
        server(A).fails("PING", DriverFailures.lost("A"));
        failure(ping());
        failure(ping());
        assertThat(second.received).contains("SUBSCRIBE +switch-master");
    }

    @Test
    void callsShareOneLookup() {
        CompletableFuture<@Nullable Object> role = new CompletableFuture<>();
        server(A).repliesLater("ROLE", role);
        CompletableFuture<?> one = driver.call(PING, CallMode.ASYNCHRONOUS).toCompletableFuture();
        CompletableFuture<?> other = driver.call(PING, CallMode.ASYNCHRONOUS).toCompletableFuture();
        role.complete(List.of("master"));
        assertThat(one.join()).isEqualTo("A");
        assertThat(other.join()).isEqualTo("A");
        assertThat(second.received).containsExactly("SENTINEL");
    }

    @Test
    void closeEndsALookup() {
        CompletableFuture<@Nullable Object> role = new CompletableFuture<>();
        server(A).repliesLater("ROLE", role);
        CompletableFuture<?> call = driver.call(PING, CallMode.ASYNCHRONOUS).toCompletableFuture();
        driver.close();
        role.complete(List.of("master"));
        assertThat(failure(call)).hasMessageContaining("is closed");
        assertThat(server(A).closed).isTrue();
        assertThat(first.closed).isTrue();
        assertThat(failure(ping())).hasMessageContaining("is closed");
    }
}
