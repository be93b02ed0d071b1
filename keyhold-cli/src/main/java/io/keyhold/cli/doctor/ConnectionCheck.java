package io.keyhold.cli.doctor;

import io.keyhold.spi.RedisErrorException;

/** Whether the server answers at all. */
final class ConnectionCheck implements Check {

    private final Server server;

    ConnectionCheck(Server server) {
        this.server = server;
    }

    @Override
    public String name() {
        return "connection";
    }

    @Override
    public Finding examine() {
        try {
            server.call("PING");
        } catch (RedisErrorException refused) {
            // Whoever is let in, but may not ask this, may be allowed everything that matters.
            if (!refused.code().equals("NOPERM")) {
                return Finding.fail(
                        this,
                        "refused: " + refused.getMessage(),
                        "The server answers, but not to this user.",
                        "Put user and password into the URI: redis://user:password@host:6379.");
            }
        }
        return Finding.ok(this, "answers");
    }
}
