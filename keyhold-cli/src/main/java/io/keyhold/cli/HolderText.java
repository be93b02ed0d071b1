package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.cli.view.TextWidth;
import io.keyhold.console.internal.Printable;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import java.util.ArrayList;
import java.util.List;

/** Describes the holders of a lock in a message. */
final class HolderText {

    /** The value of another program's key may be long. */
    private static final int LONGEST_FOREIGN = 80;

    private HolderText() {}

    /** Describes the holders of the keys that are held; if none is, says that they are free. */
    static String of(Keyhold keyhold, List<String> keys) {
        List<String> held = new ArrayList<>();
        List<String> free = new ArrayList<>();
        for (String key : keys) {
            try {
                LockSnapshot lock = keyhold.inspect().lock(key);
                if (lock.isHeld()) {
                    held.add(of(lock));
                } else {
                    free.add("'" + key + "' is free now");
                }
            } catch (KeyholdException notInspectable) {
                held.add("'" + key + "' is held");
            }
        }
        return String.join("; ", held.isEmpty() ? free : held);
    }

    /** Describes the holders in this snapshot. */
    static String of(LockSnapshot lock) {
        List<LockHolder> holders = lock.holders();
        return "'" + lock.key() + "' is held by "
                + switch (holders.size()) {
                    case 0 -> "a client without a majority of the nodes";
                    case 1 -> name(holders.get(0));
                    default -> lock.holderCount() + " holders";
                };
    }

    private static String name(LockHolder holder) {
        return holder.foreign()
                ? "another program: " + TextWidth.cut(Printable.text(holder.token()), LONGEST_FOREIGN)
                : holder.token();
    }
}
