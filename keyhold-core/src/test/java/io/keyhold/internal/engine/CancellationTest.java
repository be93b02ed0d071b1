package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Lease;
import io.keyhold.internal.engine.TroubledChannel.Messages;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.PendingRequests;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A request is cancelled at every point of its life: at each operation of its client, with each reply or each message kept in
 * flight, and with each fault that an operation may have. At every point: in the end nothing is left, and the other requests
 * got the lock.
 */
class CancellationTest {

    private static final int MOST_OPERATIONS = 12;

    /** What is asked for. Each of three requests for it excludes the others. */
    enum Wanted {
        STRICT_LOCK("a") {
            @Override
            AcquireSpec ask() {
                return EngineFixture.waiting("a", STRICT);
            }
        },
        BATCHED_LOCK("a") {
            @Override
            AcquireSpec ask() {
                return EngineFixture.waiting("a", FIXED);
            }
        },
        PERMITS("a") {
            @Override
            AcquireSpec ask() {
                Claim claim = Claim.Permits.of("a", 2, new Limit(3, Limit.IfOther.REFUSE));
                Subject subject = new Subject("a", "semaphore a", claim, List.of());
                return new AcquireSpec(subject, FIXED, WaitPlan.of(FIXED));
            }
        },
        SEVERAL_LOCKS("a b") {
            @Override
            AcquireSpec ask() {
                Claim claim = new Claim.Locks(keys(), List.of());
                Subject subject = new Subject("a, b", "locks a, b", claim, List.of());
                return new AcquireSpec(subject, FIXED, WaitPlan.of(FIXED));
            }
        };

        private final String names;

        Wanted(String names) {
            this.names = names;
        }

        List<String> keys() {
            return List.of(names.split(" "));
        }

        abstract AcquireSpec ask();
    }

    /** One run: where the client's connection is troubled, how, and after which act the request is cancelled. */
    record Point(Wanted wanted, boolean held, int operation, Trouble trouble, Messages messages, int cancelAfter) {

        @Override
        public String toString() {
            return wanted + (held ? " held" : " free") + ", operation " + operation + " " + trouble + ", messages "
                    + messages + ", cancelled after act " + cancelAfter;
        }
    }

    static Stream<Point> points() {
        List<Point> points = new ArrayList<>();
        for (Wanted wanted : Wanted.values()) {
            for (boolean held : new boolean[] {true, false}) {
                for (int operation = 0; operation < MOST_OPERATIONS; operation++) {
                    for (Trouble trouble : Trouble.values()) {
                        for (Messages messages : Messages.values()) {
                            for (int act = 0; act < 6; act++) {
                                points.add(new Point(wanted, held, operation, trouble, messages, act));
                            }
                        }
                    }
                }
            }
        }
        return points.stream();
    }

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();
    private final List<CompletableFuture<Optional<Lease>>> requests = new ArrayList<>();
    private final List<Lease> seen = new ArrayList<>();
    private int act;

    @ParameterizedTest
    @EnumSource(Trouble.class)
    void cancelAtAnyStepLeavesNothing(Trouble trouble) {
        points().filter(point -> point.trouble() == trouble).forEach(point -> {
            try {
                new CancellationTest().cancelAt(point);
            } catch (AssertionError e) {
                throw new AssertionError(point.toString(), e);
            }
        });
    }

    private void cancelAt(Point point) {
        Optional<Lease> holder = point.held()
                ? Optional.of(other.engine
                        .tryAcquireAsync(point.wanted().ask())
                        .join()
                        .orElseThrow())
                : Optional.empty();
        for (int i = 0; i < point.operation(); i++) {
            fixture.store.troubles.add(Trouble.NONE);
        }
        fixture.store.troubles.add(point.trouble());
        fixture.store.channel.messages = point.messages();
        act(point, () -> {});
        act(
                point,
                () -> requests.add(fixture.engine.tryAcquireAsync(point.wanted().ask())));
        act(
                point,
                () -> requests.add(fixture.engine.tryAcquireAsync(point.wanted().ask())));
        act(
                point,
                () -> requests.add(fixture.engine.tryAcquireAsync(point.wanted().ask())));
        act(point, () -> holder.ifPresent(Lease::release));
        act(point, this::releaseWhatWasGranted);
        fixture.store.channel.messages = Messages.ARRIVE;
        for (int i = 0; i < 6; i++) {
            fixture.store.deliver();
            fixture.store.channel.deliver();
            releaseWhatWasGranted();
            fixture.time.pass(Duration.ofSeconds(11));
        }
        assertNothingIsLeft(point);
    }

    private void act(Point point, Runnable work) {
        work.run();
        if (act++ == point.cancelAfter()) {
            requests.stream().skip(1).limit(1).forEach(middle -> middle.cancel(true));
            if (requests.size() == 1) {
                requests.get(0).cancel(true);
            }
        }
    }

    private void releaseWhatWasGranted() {
        boolean found = true;
        while (found) {
            found = false;
            for (CompletableFuture<Optional<Lease>> request : List.copyOf(requests)) {
                if (request.isDone() && !request.isCompletedExceptionally()) {
                    Lease lease = request.join().orElseThrow();
                    if (lease.isHeld() && !seen.contains(lease)) {
                        assertThat(seen).allMatch(earlier -> earlier.fencingToken() < lease.fencingToken());
                        assertThat(seen).noneMatch(Lease::isHeld);
                        seen.add(lease);
                        lease.releaseAsync();
                        found = true;
                    }
                }
            }
        }
    }

    private void assertNothingIsLeft(Point point) {
        for (String key : point.wanted().keys()) {
            assertThat(fixture.onServer(key)).isEmpty();
            assertThat(fixture.inQueue(key)).isZero();
        }
        PendingRequests.assertNone(fixture.engine.requests);
        fixture.time.pass(Duration.ofSeconds(30));
        assertThat(fixture.time.pendingTimers()).isZero();
        assertThat(requests).allMatch(CompletableFuture::isDone);
        if (point.trouble() == Trouble.NONE || point.trouble() == Trouble.REPLY_HELD_BACK) {
            assertThat(requests)
                    .filteredOn(request -> !request.isCancelled())
                    .allSatisfy(request -> assertThat(request.join()).isPresent());
        }
    }
}
