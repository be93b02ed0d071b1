package io.keyhold.doctor;

import io.keyhold.spi.RedisErrorException;

/** Whether this user may run scripts. */
final class ScriptingCheck extends ServerCheck {

    ScriptingCheck(Server server) {
        super("scripting", server);
    }

    @Override
    Finding run() {
        try {
            server.call("EVAL", "return redis.call('TIME')", "0");
            return ok("allowed");
        } catch (RedisErrorException refused) {
            return fail(
                    "refused: " + refused.getMessage(),
                    "The keyhold command and clients with default settings cannot acquire locks.",
                    "Allow +@scripting (docs/keys.md has the complete ACL); or in Java use CommandStyle.TRANSACTIONS, which polls"
                            + " instead of queueing.");
        }
    }
}
