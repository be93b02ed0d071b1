package io.keyhold.doctor;

import io.keyhold.spi.RedisErrorException;

/** Whether the server replies. */
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
    public Finding run() {
        try {
            server.call("PING");
        } catch (RedisErrorException refused) {
            // A user without permission for PING may still have all permissions that locks need.
            if (!refused.code().equals("NOPERM")) {
                return Finding.fail(
                        this,
                        "refused: " + refused.getMessage(),
                        "The server refuses this user.",
                        "Put user and password into the URI: redis://user:password@host:6379.");
            }
        }
        return Finding.ok(this, "the server replies");
    }
}
