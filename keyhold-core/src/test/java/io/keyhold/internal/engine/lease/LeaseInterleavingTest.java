package io.keyhold.internal.engine.lease;

import io.keyhold.LeaseLostException;
import io.keyhold.internal.engine.EngineFixture;
import io.keyhold.internal.engine.Interleavings;
import io.keyhold.internal.engine.TroubledStore;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.time.AsynchronousCaller;
import io.keyhold.internal.time.ClockReading;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Explored: two ways out of a {@link HeldLease}, on an engine with a store in memory, taken at the same time. One wins;
 * {@code lost()} completes if it was the loss, and only then; the store gets a release and nothing else.
 */
@Tag("full")
class LeaseInterleavingTest {

    private static final int SCHEDULES = 40;

    @Test
    void oneOutcomeWins() {
        Interleavings.checkAgainst(
                OneThread.class,
                SCHEDULES,
                scenario("release", "handOff"),
                scenario("release", "lose"),
                scenario("handOff", "lose"),
                scenario("release", "release"));
    }

    private static Interleavings scenario(String oneWay, String anotherWay) {
        return Interleavings.of(Real.class)
                .asOneStep(Scene.class, "make")
                .asOneStep(TroubledStore.class, "release")
                .oneThread(oneWay)
                .otherThread(anotherWay)
                .after("isHeld")
                .after("isReportedLost")
                .after("releasesAtTheStore");
    }

    /** A lease that is renewed, and what it stands on. */
    private record Scene(EngineFixture fixture, HeldLease lease, AtomicBoolean reportedLost) {

        static Scene make() {
            EngineFixture fixture = new EngineFixture();
            HeldLease lease = (HeldLease) fixture.acquire("a", EngineFixture.RENEWED);
            fixture.store.log.clear();
            AtomicBoolean reportedLost = new AtomicBoolean();
            lease.lost().thenRun(() -> reportedLost.set(true));
            return new Scene(fixture, lease, reportedLost);
        }
    }

    /** The ways out of it. */
    public static class Real {
        private final Scene scene = Scene.make();
        private final HeldLease lease = scene.lease();

        public boolean release() {
            return lease.release(new AsynchronousCaller(scene.fixture().time)).join();
        }

        public boolean handOff() {
            try {
                return !lease.handOff().isEmpty();
            } catch (LeaseLostException e) {
                return false; // Another way out was faster.
            }
        }

        /** The reply to a renewal: another client holds the lock. */
        public boolean lose() {
            lease.renewed(
                    new Validity(ClockReading.now(scene.fixture().time), 30_000),
                    new HoldReply.NotHeld(Optional.of("other")));
            return lease.loss().isPresent();
        }

        public boolean isHeld() {
            return lease.isOpen();
        }

        public boolean isReportedLost() {
            return scene.reportedLost().get();
        }

        public int releasesAtTheStore() {
            return scene.fixture().store.log.size();
        }
    }

    /** The specification, for one thread. */
    public static class OneThread {
        private String end = "";

        private boolean end(String how) {
            if (!end.isEmpty()) {
                return false;
            }
            end = how;
            return true;
        }

        public boolean release() {
            return end("released");
        }

        public boolean handOff() {
            return end("handed off");
        }

        public boolean lose() {
            return end("lost");
        }

        public boolean isHeld() {
            return end.isEmpty();
        }

        public boolean isReportedLost() {
            return end.equals("lost");
        }

        public int releasesAtTheStore() {
            return end.equals("released") ? 1 : 0;
        }
    }
}
