package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.GrantRecord;
import io.keyhold.internal.store.QueuePlace;
import java.util.Map;

/**
 * The scripts of a store. What is the same for every call of a client stands in the text: an argument costs the server more
 * than it seems.
 */
final class Scripts {

    final Script acquire;
    final Script release;
    final Script renew;
    final Script force;

    Scripts(long retentionMillis) {
        Map<String, Long> constants =
                Map.of("stride", GrantRecord.STRIDE, "keep", QueuePlace.KEPT_MILLIS, "retention", retentionMillis);
        acquire = new Script("acquire", constants);
        release = new Script("release", constants);
        renew = new Script("renew", constants);
        force = new Script("force", constants);
    }
}
