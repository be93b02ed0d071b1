package io.keyhold.doctor;

import io.keyhold.spi.RedisErrorException;

/** Whether the server replies. */
final class ConnectionCheck extends ServerCheck {

    ConnectionCheck(Server server) {
        super("connection", server);
    }

    @Override
    Finding run() {
        try {
            server.call("PING");
        } catch (RedisErrorException refused) {
            // A user without permission for PING may still have all permissions that locks need.
            if (!refused.code().equals("NOPERM")) {
                return fail(
                        "refused: " + refused.getMessage(),
                        "The server refuses this user.",
                        "Put user and password into the URI: redis://user:password@host:6379.");
            }
        }
        return ok("the server replies");
    }
}
