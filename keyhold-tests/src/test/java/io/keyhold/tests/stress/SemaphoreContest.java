package io.keyhold.tests.stress;

import io.keyhold.SemaphoreOptions;
import java.time.Duration;

/** Permits of semaphores, up to {@link #MOST} at a time. */
final class SemaphoreContest implements Contest {

    static final int PERMITS = 5;
    static final int MOST = 3;

    private final ChaosKind kind;
    private final Player player;
    private final Attendance attendance;

    SemaphoreContest(ChaosKind kind, Player player) {
        this.kind = kind;
        this.player = player;
        this.attendance = new Attendance(player.counter(), player.who(), PERMITS);
    }

    @Override
    public void inspect() {
        attendance.inspect(kind.keys());
    }

    @Override
    public Contested draw(Duration lease, boolean renewed) {
        SemaphoreOptions options = SemaphoreOptions.builder()
                .permits(PERMITS)
                .lease(lease)
                .renew(renewed)
                .maxWait(GETS_ON_WITHIN)
                .build();
        int permits = 1 + player.random().nextInt(MOST);
        return new ContestedPermits(
                player.keyhold().semaphore(player.anyKey(kind), options),
                permits,
                (held, millis) -> attendance.attend(held, permits, millis));
    }
}
