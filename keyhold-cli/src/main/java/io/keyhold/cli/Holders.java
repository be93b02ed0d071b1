package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import java.util.List;

/** Who holds a lock, in a few words for a message. */
final class Holders {

    private Holders() {}

    static String of(Keyhold keyhold, List<String> keys) {
        StringBuilder text = new StringBuilder();
        for (String key : keys) {
            text.append(text.length() == 0 ? "" : "; ").append(of(keyhold, key));
        }
        return text.toString();
    }

    private static String of(Keyhold keyhold, String key) {
        try {
            LockSnapshot snapshot = keyhold.inspect().lock(key);
            List<LockHolder> holders = snapshot.holders();
            return switch (holders.size()) {
                case 0 -> "'" + key + "' is free by now";
                case 1 -> "'" + key + "' is held by " + holders.get(0).token();
                default -> "'" + key + "' is held by " + holders.size() + " holders";
            };
        } catch (KeyholdException notToBeSeen) {
            return "'" + key + "' is held";
        }
    }
}
