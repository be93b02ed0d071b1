package io.keyhold.cli;

import io.keyhold.cli.view.Plain;
import java.util.List;

/** What a key on the command line must be like. */
final class KeyRules {

    /** What Java makes of bytes that it cannot read. */
    private static final char UNREADABLE = '\uFFFD';

    private KeyRules() {}

    /**
     * Refuses a key that did not arrive as it was given: it would be another lock, and the same one for many different keys.
     * The launcher has Java read arguments as UTF-8, in every locale; this is for keys that are not, and for systems on which
     * that is not possible.
     */
    static void checkReadable(List<String> keys) {
        for (String key : keys) {
            if (key.indexOf(UNREADABLE) >= 0) {
                throw new CliException(
                        ExitCode.USAGE,
                        "the key '" + Plain.text(key)
                                + "' cannot be read: keys are UTF-8, and this one is not, or Java cannot read"
                                + " UTF-8 here (is the locale C.UTF-8 installed?)");
            }
        }
    }

    /** For a lock that is to be taken: refuses a line break too. Who took such a key by other means can be seen and released. */
    static void checkTaken(List<String> keys) {
        checkReadable(keys);
        for (String key : keys) {
            if (key.indexOf('\n') >= 0 || key.indexOf('\r') >= 0) {
                throw new CliException(ExitCode.USAGE, "a key must not contain a line break");
            }
        }
    }
}
