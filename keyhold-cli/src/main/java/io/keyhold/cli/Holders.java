package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.cli.view.Plain;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import java.util.ArrayList;
import java.util.List;

/** Who holds a lock, in a few words for a message. */
final class Holders {

    /** Of what another program keeps under a key, which may be anything. */
    private static final int LONGEST_FOREIGN = 80;

    private Holders() {}

    /** Of those keys that are held; of all of them if none is. */
    static String of(Keyhold keyhold, List<String> keys) {
        List<String> held = new ArrayList<>();
        List<String> free = new ArrayList<>();
        for (String key : keys) {
            try {
                LockSnapshot lock = keyhold.inspect().lock(key);
                if (lock.isHeld()) {
                    held.add(of(lock));
                } else {
                    free.add("'" + key + "' is free by now");
                }
            } catch (KeyholdException notToBeSeen) {
                held.add("'" + key + "' is held");
            }
        }
        return String.join("; ", held.isEmpty() ? free : held);
    }

    /** Of one that was looked at. */
    static String of(LockSnapshot lock) {
        List<LockHolder> holders = lock.holders();
        return "'" + lock.key() + "' is held by "
                + switch (holders.size()) {
                    case 0 -> "somebody, on less than a majority of the nodes";
                    case 1 -> name(holders.get(0));
                    default -> lock.holderCount() + " holders";
                };
    }

    private static String name(LockHolder holder) {
        return holder.foreign()
                ? "somebody who does not use Keyhold: " + Plain.cut(Plain.text(holder.token()), LONGEST_FOREIGN)
                : holder.token();
    }
}
