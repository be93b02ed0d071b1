package io.keyhold.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.KeyholdClock;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When compensating releases are sent, and what ends them; on one thread, with a clock and timers of the test. */
final class BackgroundReleaserTest {

    private static final HoldReply NOT_HELD = new HoldReply.NotHeld(Optional.empty());
    private final StoreUnavailableException down = new StoreUnavailableException("down", false, null);
    private final StoreRefusedException refused =
            new StoreRefusedException("refused", "NOPERM", new RedisErrorException("NOPERM no permission"));
    private static final int MOST_TASKS = 5;

    private long now;
    private final List<Timer> timers = new ArrayList<>();
    private final KeyholdClock clock = new KeyholdClock() {
        @Override
        public long monotonicNanos() {
            return now;
        }

        @Override
        public long wallMillis() {
            return now / 1_000_000;
        }
    };
    /** What was sent, and has no reply. */
    private final Map<String, CompletableFuture<HoldReply>> inFlight = new LinkedHashMap<>();

    private final List<String> sent = new ArrayList<>();
    private final BackgroundReleaser releaser =
            new BackgroundReleaser(this::send, key -> key.charAt(0), clock, this::schedule, 2, MOST_TASKS);

    private record Timer(long at, Runnable task) {}

    private CompletionStage<HoldReply> send(ReleaseRequest request) {
        CompletableFuture<HoldReply> reply = new CompletableFuture<>();
        inFlight.put(request.token(), reply);
        sent.add(request.token());
        return reply;
    }

    private Scheduler.Timer schedule(long delayNanos, Runnable task) {
        Timer timer = new Timer(now + delayNanos, task);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    private void pass(long millis) {
        long end = now + TimeUnit.MILLISECONDS.toNanos(millis);
        Optional<Timer> next = next(end);
        while (next.isPresent()) {
            timers.remove(next.get());
            now = next.get().at();
            next.get().task().run();
            next = next(end);
        }
        now = end;
    }

    private Optional<Timer> next(long end) {
        return timers.stream().filter(timer -> timer.at() <= end).min(Comparator.comparingLong(Timer::at));
    }

    private void reply(String token, HoldReply reply) {
        Objects.requireNonNull(inFlight.remove(token)).complete(reply);
    }

    private void fail(String token, Throwable failure) {
        Objects.requireNonNull(inFlight.remove(token)).completeExceptionally(failure);
    }

    private static ReleaseRequest request(String token) {
        return ReleaseRequest.of(new Claim.Lock("k"), token);
    }

    private static ReleaseRequest withdrawal(String token) {
        QueuePlace place = new QueuePlace("channel", 1, 10_000, 0, 1, token);
        return new ReleaseRequest(new Claim.Lock("k"), token, Optional.of(place));
    }

    private BackgroundReleaser.Expiry in(long millis) {
        long end = now + TimeUnit.MILLISECONDS.toNanos(millis);
        return time -> end - time.monotonicNanos();
    }

    private void releaseUnknown(String token) {
        releaser.release("k", request(token), in(60_000));
        pass(0);
    }

    @Test
    void notHeldIsTrustedAfterThreeRepliesInOneSecond() {
        releaseUnknown("a");
        reply("a", NOT_HELD);
        pass(100);
        reply("a", NOT_HELD);
        pass(999);
        assertThat(sent).hasSize(2);
        pass(1);
        reply("a", NOT_HELD);
        pass(100_000);
        assertThat(sent).hasSize(3);
        assertThat(timers).isEmpty();
    }

    /** A request that was repeated may be executed before the release and after it. */
    @Test
    void doneDoesNotEndReleaseOfUnknownOutcome() {
        releaseUnknown("a");
        reply("a", HoldReply.DONE);
        pass(100);
        reply("a", HoldReply.DONE);
        for (int i = 0; i < 3; i++) {
            pass(5_000);
            reply("a", NOT_HELD);
        }
        pass(100_000);
        assertThat(sent).hasSize(5);
    }

    @Test
    void holdIsNotUnfinishedAfterDone() {
        releaseUnknown("a");
        CompletableFuture<Void> unfinished = releaser.unfinished();
        assertThat(unfinished).isNotDone();
        reply("a", HoldReply.DONE);
        assertThat(unfinished).isDone();
    }

    @Test
    void firstReplyEndsReleaseOfKnownGrant() {
        releaser.releaseGrant("k", request("a"), in(60_000));
        reply("a", HoldReply.DONE);
        releaser.releaseGrant("k", request("b"), in(60_000));
        reply("b", NOT_HELD);
        pass(100_000);
        assertThat(sent).containsExactly("a", "b");
    }

    /** What is in flight may be executed before the second grant. */
    @Test
    void grantDuringReleaseNeedsThreeMoreReplies() {
        releaser.releaseGrant("k", request("a"), in(60_000));
        releaser.releaseGrant("k", request("a"), in(60_000));
        assertThat(sent).hasSize(1);
        for (int i = 0; i < 3; i++) {
            reply("a", NOT_HELD);
            pass(5_000);
        }
        assertThat(sent).hasSize(3);
        assertThat(releaser.unfinished()).isDone();
    }

    @Test
    void pausedTaskIsSentAtOnceWhenAddedAgain() {
        releaseUnknown("a");
        reply("a", NOT_HELD);
        pass(50);
        releaser.releaseGrant("k", request("a"), in(60_000));
        assertThat(inFlight).containsKey("a");
        reply("a", NOT_HELD);
        pass(50);
        assertThat(sent).as("the timer of the first pause has no effect").hasSize(2);
        pass(50);
        assertThat(sent).hasSize(3);
    }

    @Test
    void oneTokenMayHoldSeveralKeys() {
        releaser.releaseGrant("k", request("a"), in(60_000));
        releaser.releaseGrant("other", ReleaseRequest.of(new Claim.Lock("other"), "a"), in(60_000));
        assertThat(sent).containsExactly("a", "a");
    }

    @Test
    void releaseEndsWithLeaseButWithdrawalDoesNot() {
        releaser.release("k", request("hold"), in(1_000));
        releaser.release("k", withdrawal("entry"), in(1_000));
        pass(0);
        pass(2_000);
        fail("hold", down);
        fail("entry", down);
        pass(5_000);
        assertThat(sent).containsExactly("hold", "entry", "entry");
        assertThat(releaser.unfinished()).as("the hold has ended").isDone();
        fail("entry", refused);
        pass(100_000);
        assertThat(sent).hasSize(3);
    }

    @Test
    void storeThatIsDownGetsOneProbeAtATime() {
        List.of("a", "b", "c").forEach(this::releaseUnknown);
        assertThat(inFlight).as("the limit").containsOnlyKeys("a", "b");
        fail("a", down);
        fail("b", down);
        assertThat(inFlight).isEmpty();
        pass(100);
        assertThat(inFlight).containsOnlyKeys("c");
        pass(5_000);
        assertThat(sent).hasSize(3);
        reply("c", NOT_HELD);
        assertThat(inFlight).containsOnlyKeys("a", "b");
    }

    @Test
    void serverThatIsDownDoesNotDelayOthers() {
        List.of("a", "b", "c", "d").forEach(this::releaseUnknown);
        releaser.releaseGrant("other", ReleaseRequest.of(new Claim.Lock("other"), "e"), in(60_000));
        assertThat(inFlight).as("a limit for each").containsOnlyKeys("a", "b", "e");
        fail("a", down);
        fail("b", down);
        reply("e", HoldReply.DONE);
        releaser.releaseGrant("other", ReleaseRequest.of(new Claim.Lock("other"), "f"), in(60_000));
        assertThat(inFlight).containsOnlyKeys("f");
    }

    @Test
    void refusalOfOneReleaseDoesNotStopOthers() {
        List.of("a", "b", "c").forEach(this::releaseUnknown);
        fail("a", refused);
        assertThat(inFlight).containsOnlyKeys("b", "c");
    }

    @Test
    void tasksBeyondBoundAreLeftToExpire() {
        for (int i = 0; i <= MOST_TASKS; i++) {
            releaser.releaseGrant("k", request("t" + i), in(60_000));
        }
        for (int i = 0; i < MOST_TASKS; i++) {
            reply("t" + i, HoldReply.DONE);
        }
        assertThat(sent).hasSize(MOST_TASKS);
    }

    @Test
    void notHeldIsLossUnlessReleaseMayHaveRun() {
        List<HoldReply> losses = new ArrayList<>();
        releaser.release("k", request("a"), in(60_000), addingTo(losses));
        pass(0);
        fail("a", down);
        pass(100);
        reply("a", NOT_HELD);
        assertThat(losses).hasSize(1);

        releaser.release("k", request("b"), in(60_000), addingTo(losses));
        pass(0);
        fail("b", new StoreUnavailableException("timeout", true, null));
        pass(1_000);
        reply("b", NOT_HELD);
        assertThat(losses).hasSize(1);

        releaser.release("k", request("c"), in(0), addingTo(losses));
        pass(0);
        reply("c", NOT_HELD);
        assertThat(losses).as("after the lease").hasSize(1);
    }

    private static BackgroundReleaser.Listener addingTo(List<HoldReply> losses) {
        return new BackgroundReleaser.Listener() {
            @Override
            public void lost(HoldReply.NotHeld reply) {
                losses.add(reply);
            }
        };
    }
}
