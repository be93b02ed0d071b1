package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.QueuePlace;
import java.util.Map;

/**
 * The scripts of a store. What is the same for every call of a client stands in the text: an argument costs the server more
 * than it seems.
 */
final class Scripts {

    final Script acquire;
    final Script acquirePermits;
    final Script acquireAll;
    final Script release;
    final Script releasePermits;
    final Script releaseAll;
    final Script renew;
    final Script renewPermits;
    final Script force;
    final Script lookPermits;
    final Script resize;
    final Script vote;
    final Script raise;
    final Script giveUp;
    final Script admit;

    Scripts() {
        Map<String, Long> constants = Map.of(
                "stride",
                LockValue.STRIDE,
                "keep",
                QueuePlace.KEPT_MILLIS,
                "retention",
                Limit.RETENTION.toMillis(),
                "readwrite",
                (long) Limit.READ_WRITE);
        acquire = new Script("acquire", constants);
        acquirePermits = new Script("acquire_permits", constants);
        acquireAll = new Script("acquire_all", constants);
        release = new Script("release", constants);
        releasePermits = new Script("release_permits", constants);
        releaseAll = new Script("release_all", constants);
        renew = new Script("renew", constants);
        renewPermits = new Script("renew_permits", constants);
        force = new Script("force", constants);
        lookPermits = new Script("look_permits", constants);
        resize = new Script("resize", constants);
        vote = new Script("vote", constants);
        raise = new Script("raise", constants);
        giveUp = new Script("give_up", constants);
        admit = new Script("admit", constants);
    }
}
