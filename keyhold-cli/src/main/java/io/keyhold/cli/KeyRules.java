package io.keyhold.cli;

import io.keyhold.console.internal.Printable;
import java.util.List;

/** Checks the keys on the command line. */
final class KeyRules {

    /** What Java substitutes for bytes that it cannot decode. */
    private static final char REPLACEMENT = '\uFFFD';

    private KeyRules() {}

    /**
     * Refuses a key that Java could not decode: it would be a different lock, and many different keys would be the same lock.
     * The launcher makes Java decode arguments as UTF-8 in every locale; this is for keys that are not UTF-8, and for systems
     * without such a locale.
     */
    static void checkReadable(List<String> keys) {
        for (String key : keys) {
            CliException.refuse(
                    key.indexOf(REPLACEMENT) >= 0,
                    "key '" + Printable.text(key)
                            + "' must be UTF-8; if it is, install the locale C.UTF-8, without which Java cannot read it");
        }
    }

    /** Also refuses a line break, in keys to acquire. Other clients may use such keys, which can be inspected and released. */
    static void checkAcquirable(List<String> keys) {
        checkReadable(keys);
        for (String key : keys) {
            CliException.refuse(
                    key.indexOf('\n') >= 0 || key.indexOf('\r') >= 0,
                    "key '" + Printable.text(key) + "' must not contain a line break");
        }
    }
}
