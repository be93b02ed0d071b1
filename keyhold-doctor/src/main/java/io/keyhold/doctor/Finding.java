package io.keyhold.doctor;

/**
 * The result of a check.
 *
 * @param check the check's name
 * @param level the severity
 * @param seen what the check observed
 * @param meaning what that means for locks; empty if OK
 * @param cure what to do about it; empty if OK
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

    /** A check that could not run is a warning. */
    static Finding unchecked(Check check, String reason, String cure) {
        return warn(check, "not checked: " + reason, "It is unknown whether this endangers locks.", cure);
    }
}
