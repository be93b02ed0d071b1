package io.keyhold.doctor;

/** One check of a server, or of several. */
interface Check {

    /** Returns the name, a single word. */
    String name();

    /**
     * Runs the check.
     *
     * @throws io.keyhold.spi.RedisErrorException if the server refuses a command
     * @throws io.keyhold.spi.RedisConnectionException if the server cannot be reached or does not reply
     * @throws io.keyhold.KeyholdException if an operation of a client fails
     */
    Finding run();
}
