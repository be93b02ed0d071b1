package io.keyhold.tests.stress;

import java.time.Duration;
import java.util.List;

/** Locks, each by itself. */
final class LockContest implements Contest {

    private final ChaosKind kind;
    private final Player player;
    private final HeldWork work;

    LockContest(ChaosKind kind, Player player) {
        this.kind = kind;
        this.player = player;
        this.work = new HeldWork(player.counter(), player.who());
    }

    @Override
    public Contested draw(Duration lease, boolean renewed) {
        String key = player.anyKey(kind);
        return new ContestedLock(
                key,
                player.keyhold().lock(key, player.terms(lease, renewed).build()),
                (held, millis) -> work.increment(held, List.of(key), millis));
    }
}
