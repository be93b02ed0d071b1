package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Lease;
import io.keyhold.internal.engine.TroubledChannel.Messages;
import io.keyhold.internal.engine.TroubledChannel.Opening;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The grant channel of a client: broken, silent, refused, and open again. */
class GrantDeliveryTest {

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();
    private final Lease holder = other.acquire("a", STRICT);

    private void cut(boolean noticedByServer) {
        if (noticedByServer) {
            fixture.store.channel.cutAtServer();
        } else {
            fixture.store.channel.cut();
        }
    }

    @Test
    void oneChannelServesAllLocks() {
        other.acquire("b", STRICT);
        fixture.request("a", STRICT);
        fixture.request("b", STRICT);
        fixture.request("b", STRICT);
        assertThat(fixture.store.channel.opened).isEqualTo(1);
    }

    @Test
    void channelIsOpenedByFirstWaiter() {
        fixture.request("free", STRICT).join().orElseThrow().release();
        assertThat(fixture.store.channel.opened).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void brokenChannelMakesEveryWaiterAskAgain(boolean noticedByServer) {
        List<CompletableFuture<Optional<Lease>>> requests = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            requests.add(fixture.request("a", STRICT));
        }
        long sent = fixture.count("acquire");
        cut(noticedByServer);
        assertThat(fixture.count("acquire") - sent).isEqualTo(5);
        holder.release();
        for (int i = 0; i < 5; i++) {
            List<CompletableFuture<Optional<Lease>>> granted =
                    requests.stream().filter(CompletableFuture::isDone).toList();
            assertThat(granted).hasSize(1);
            requests.removeIf(CompletableFuture::isDone);
            assertThat(granted.get(0).join().orElseThrow().release()).isTrue();
        }
        assertThat(fixture.inQueue("a")).isZero();
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void grantMissedByBrokenChannelIsFound() {
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        fixture.store.channel.openings.add(Opening.HELD_BACK);
        fixture.store.channel.cut();
        holder.release();
        assertThat(request).isNotDone();
        fixture.store.channel.deliver();
        assertThat(request.join().orElseThrow().isHeldOnServer()).isTrue();
    }

    /**
     * The request was sent while the old connection was open, and its reply arrived after the new one was. Only the store knows
     * whether there was a grant between the two.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void requestInFlightWhenChannelBreaksAsksAgain(boolean noticedByServer) {
        other.acquire("b", STRICT);
        fixture.request("b", STRICT);
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        fixture.store.channel.messages = Messages.LOST;
        holder.release();
        fixture.store.channel.messages = Messages.ARRIVE;
        cut(noticedByServer);
        fixture.store.deliver();
        assertThat(request).isCompleted();
        assertThat(request.join().orElseThrow().isHeldOnServer()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILS", "BUSY"})
    void waitersPollWhileChannelIsDown(Opening opening) {
        CompletableFuture<Optional<Lease>> first = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> second = fixture.request("a", STRICT);
        fixture.store.channel.alwaysOpening = opening;
        fixture.store.channel.cutAtServer();
        holder.release();
        fixture.time.pass(Duration.ofMillis(200));
        assertThat(List.of(first, second)).filteredOn(CompletableFuture::isDone).hasSize(1);
        (first.isDone() ? first : second).join().orElseThrow().release();
        fixture.time.pass(Duration.ofMillis(200));
        assertThat(List.of(first, second)).allMatch(CompletableFuture::isDone);
        (first.join().orElseThrow().isHeld() ? first : second)
                .join()
                .orElseThrow()
                .release();
        assertThat(fixture.inQueue("a")).isZero();
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILS", "BUSY"})
    void transientErrorReopensChannel(Opening opening) {
        Lease endless = other.acquire("c", STRICT.toBuilder().noExpiry().build());
        fixture.store.channel.openings.addAll(List.of(opening, opening, opening));
        CompletableFuture<Optional<Lease>> request = fixture.request("c", STRICT);
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(fixture.store.channel.opened).as("after pauses that grow").isEqualTo(4);
        assertThat(fixture.store.channel.isConnected()).isTrue();
        long asked = fixture.count("acquire");
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(fixture.count("acquire")).as("it polls no longer").isEqualTo(asked);
        endless.release();
        assertThat(request).as("handed over").isCompleted();
    }

    @Test
    void channelIsRetriedAtMostEverySecond() {
        fixture.store.channel.alwaysOpening = Opening.BUSY;
        fixture.request("a", STRICT);
        fixture.time.pass(Duration.ofSeconds(9));
        assertThat(fixture.store.channel.opened).isBetween(9, 20);
    }

    /** A grant to a request that polls has to take its entry out of the queue too. */
    @Test
    void grantWhileChannelIsDownLeavesNoEntry() {
        CompletableFuture<Optional<Lease>> first = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> second = other.anotherClient().request("a", STRICT);
        fixture.store.channel.alwaysOpening = Opening.FAILS;
        fixture.store.channel.cutAtServer();
        fixture.time.pass(Duration.ofMillis(200));
        holder.release();
        fixture.time.pass(Duration.ofMillis(200));
        for (CompletableFuture<Optional<Lease>> each : List.of(second, first)) {
            assertThat(each).isCompleted();
            each.join().orElseThrow().release();
            fixture.time.pass(Duration.ofMillis(200));
        }
        assertThat(fixture.inQueue("a")).isZero();
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void onlyServerNotServingReopensChannel() {
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        fixture.time.pass(Duration.ofSeconds(4));
        fixture.store.always = Trouble.READ_ONLY;
        fixture.store.channel.cut(); // So that it asks.
        assertThat(fixture.store.channel.opened).isEqualTo(2);
        fixture.time.pass(Duration.ofSeconds(5));
        assertThat(fixture.store.channel.opened).as("about twice a second").isBetween(9, 14);
        assertThat(request).isNotDone();
        fixture.store.always = Trouble.NONE;
        holder.release();
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(request).isCompleted();
    }

    @Test
    void refusedChannelMeansPolling() {
        fixture.store.channel.alwaysOpening = Opening.REFUSED;
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        assertThat(fixture.inQueue("a")).isZero();
        holder.release();
        fixture.time.pass(Duration.ofMillis(200));
        assertThat(request.join()).isPresent();
        assertThat(fixture.store.channel.opened).as("not asked for again").isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void queuedWaiterPollsAfterChannelRefusal(boolean noticedByServer) {
        CompletableFuture<Optional<Lease>> first = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> second = fixture.request("a", STRICT);
        fixture.store.channel.alwaysOpening = Opening.REFUSED;
        cut(noticedByServer);
        holder.release();
        fixture.time.pass(Duration.ofMillis(200));
        assertThat(List.of(first, second)).filteredOn(CompletableFuture::isDone).hasSize(1);
        (first.isDone() ? first : second).join().orElseThrow().release();
        fixture.time.pass(Duration.ofMillis(200));
        assertThat(first).isDone();
        assertThat(second).isDone();
        assertThat(fixture.inQueue("a")).isZero();
    }

    @Test
    void silentChannelIsReopenedByProbe() {
        Lease endless = other.acquire("c", STRICT.toBuilder().noExpiry().build());
        CompletableFuture<Optional<Lease>> request = fixture.request("c", STRICT);
        fixture.store.channel.messages = Messages.LOST;
        fixture.time.pass(Duration.ofSeconds(6));
        assertThat(fixture.store.channel.opened).as("one probe may be late").isEqualTo(1);
        fixture.time.pass(Duration.ofSeconds(5));
        assertThat(fixture.store.channel.opened).isEqualTo(2);
        fixture.store.channel.messages = Messages.ARRIVE;
        endless.release();
        assertThat(request).isCompleted();
    }

    @Test
    void healthyChannelStaysOpenAndIdleOneIsNotProbed() {
        other.acquire("c", STRICT.toBuilder().noExpiry().build());
        CompletableFuture<Optional<Lease>> request = fixture.request("c", STRICT);
        fixture.time.pass(Duration.ofMinutes(1));
        assertThat(fixture.store.channel.opened).isEqualTo(1);
        request.cancel(true);
        fixture.time.pass(Duration.ofMinutes(1));
        assertThat(fixture.time.pendingTimers())
                .as("the watch over the endless lease")
                .isEqualTo(1);
    }

    @Test
    void channelThatOpensAfterCloseIsClosed() {
        fixture.store.channel.openings.add(Opening.HELD_BACK);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", FIXED);
        request.cancel(true);
        fixture.engine.requests.close();
        fixture.store.channel.deliver();
        assertThat(fixture.store.channel.isConnected()).isFalse();
    }

    /** The connection ends just as the request enters the queue: no request waited yet when the end was reported. */
    @Test
    void channelThatEndsDuringQueueingIsReopened() {
        fixture.request("a", STRICT).cancel(true);
        fixture.store.channel.atAddress = () -> {
            fixture.store.channel.atAddress = () -> {};
            fixture.store.channel.cutAtServer();
        };
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        holder.release();
        assertThat(request).isCompleted();
    }
}
