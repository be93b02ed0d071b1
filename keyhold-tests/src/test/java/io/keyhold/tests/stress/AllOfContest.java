package io.keyhold.tests.stress;

import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Some of the locks together, in any order, or one of them by itself. */
final class AllOfContest implements Contest {

    /** No key: who waits for several may do so while some of them are free, and the monitor has nothing to say to that. */
    private static final String SEVERAL = "several";

    private final ChaosKind kind;
    private final Player player;
    private final HeldWork work;

    AllOfContest(ChaosKind kind, Player player) {
        this.kind = kind;
        this.player = player;
        this.work = new HeldWork(player.counter(), player.who());
    }

    @Override
    public Contested draw(Duration lease, boolean renewed) {
        LockOptions options =
                player.terms(lease, renewed).maxWait(GETS_ON_WITHIN).build();
        if (player.random().nextInt(5) < 2) {
            String key = player.anyKey(kind);
            return new ContestedLock(
                    key,
                    player.keyhold().lock(key, options),
                    (held, millis) -> work.increment(held, List.of(key), millis));
        }
        List<String> some = new ArrayList<>(kind.keys());
        Collections.shuffle(some, player.random());
        List<String> keys = List.copyOf(
                some.subList(0, 2 + player.random().nextInt(kind.keys().size() - 1)));
        return new ContestedLock(
                SEVERAL, player.keyhold().allOf(keys, options), (held, millis) -> work.increment(held, keys, millis));
    }
}
