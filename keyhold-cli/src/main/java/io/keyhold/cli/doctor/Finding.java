package io.keyhold.cli.doctor;

/**
 * What a check has found.
 *
 * @param check the check's name
 * @param level how bad it is
 * @param seen what was seen
 * @param meaning what that means for locks; empty if all is well
 * @param cure what to do about it; empty if all is well
 */
public record Finding(String check, Level level, String seen, String meaning, String cure) {

    static Finding ok(Check check, String seen) {
        return new Finding(check.name(), Level.OK, seen, "", "");
    }

    static Finding warn(Check check, String seen, String meaning, String cure) {
        return new Finding(check.name(), Level.WARN, seen, meaning, cure);
    }

    static Finding fail(Check check, String seen, String meaning, String cure) {
        return new Finding(check.name(), Level.FAIL, seen, meaning, cure);
    }

    /** What nobody could look at is not known to be well. */
    static Finding unchecked(Check check, String reason, String cure) {
        return warn(check, "not checked: " + reason, "Whether this endangers locks is not known.", cure);
    }
}
