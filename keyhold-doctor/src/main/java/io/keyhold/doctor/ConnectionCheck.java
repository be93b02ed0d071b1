package io.keyhold.doctor;

import io.keyhold.spi.RedisErrorException;
import java.util.Set;

/** Whether the server replies. */
final class ConnectionCheck extends ServerCheck {

    /**
     * The errors that open no connection: ERR is the reply to AUTH or SELECT, or of a server with too many clients, and DENIED that of one
     * in protected mode. Any other error, such as LOADING or MISCONF, comes from a server that replies to other commands.
     */
    private static final Set<String> REFUSALS = Set.of("NOAUTH", "WRONGPASS", "ERR", "DENIED");

    ConnectionCheck(Server server) {
        super("connection", server);
    }

    @Override
    Finding run() {
        try {
            server.call("PING");
        } catch (RedisErrorException error) {
            // A user without permission for PING may still have all permissions that locks need.
            if (REFUSALS.contains(error.code())) {
                return fail(
                        "refused: " + error.getMessage(),
                        "The server refuses this user, or the connection.",
                        "Put user and password into the URI: redis://user:password@host:6379; or do what the error says.");
            }
        }
        return ok("the server replies");
    }
}
