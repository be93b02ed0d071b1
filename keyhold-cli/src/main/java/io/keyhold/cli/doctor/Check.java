package io.keyhold.cli.doctor;

/** One question about a server, or about several. */
public interface Check {

    /** One word. */
    String name();

    /**
     * Asks it.
     *
     * @throws io.keyhold.spi.RedisErrorException if the server refuses to answer
     * @throws io.keyhold.spi.RedisConnectionException if it does not answer
     * @throws io.keyhold.KeyholdException if a client of it cannot work
     */
    Finding examine();
}
