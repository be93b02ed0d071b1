package io.keyhold.tests.stress;

import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.List;

/** Locks on a quorum: some of them are held for as long as it takes a server to die and to come back. */
final class QuorumContest implements Contest {

    private static final int LONG_HOLD_MILLIS = 300;

    private final ChaosKind kind;
    private final Player player;
    private final HeldWork work;
    private final Attendance attendance;

    QuorumContest(ChaosKind kind, Player player) {
        this.kind = kind;
        this.player = player;
        this.work = new HeldWork(player.counter(), player.who());
        this.attendance = new Attendance(player.counter(), player.who(), 1);
    }

    @Override
    public Contested draw(Duration lease, boolean renewed) {
        String key = player.anyKey(kind);
        LockOptions terms = LockOptions.builder().lease(lease).renew(renewed).build();
        boolean tarries = player.random().nextInt(4) == 0;
        return new ContestedLock(key, player.keyhold().lock(key, terms), (held, millis) -> {
            work.increment(held, List.of(key), tarries ? millis + LONG_HOLD_MILLIS : millis);
            attendance.attend(held, 1, millis);
        });
    }
}
