package io.keyhold.doctor;

/** One check of a server, or of several. */
abstract class Check {

    private final String name;

    /** Names the check by a single word. */
    Check(String name) {
        this.name = name;
    }

    final String name() {
        return name;
    }

    /**
     * Runs the check.
     *
     * @throws io.keyhold.spi.RedisErrorException if the server refuses a command
     * @throws io.keyhold.spi.RedisConnectionException if the server cannot be reached or does not reply
     * @throws io.keyhold.KeyholdException if an operation of a client fails
     */
    abstract Finding run();

    final Finding ok(String seen) {
        return new Finding(name, Level.OK, seen, "", "");
    }

    final Finding warn(String seen, String meaning, String cure) {
        return new Finding(name, Level.WARN, seen, meaning, cure);
    }

    final Finding fail(String seen, String meaning, String cure) {
        return new Finding(name, Level.FAIL, seen, meaning, cure);
    }

    /** A check that could not run is a warning. */
    final Finding unchecked(String reason, String cure) {
        return warn("not checked: " + reason, "It is unknown whether this endangers locks.", cure);
    }
}
