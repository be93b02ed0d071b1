package io.keyhold.doctor;

import io.keyhold.spi.RedisErrorException;

/** Whether this user may run scripts. */
final class ScriptingCheck implements Check {

    private final Server server;

    ScriptingCheck(Server server) {
        this.server = server;
    }

    @Override
    public String name() {
        return "scripting";
    }

    @Override
    public Finding run() {
        try {
            server.call("EVAL", "return redis.call('TIME')", "0");
            return Finding.ok(this, "allowed");
        } catch (RedisErrorException refused) {
            return Finding.fail(
                    this,
                    "refused: " + refused.getMessage(),
                    "The keyhold command and clients with default settings cannot acquire locks.",
                    "Allow +@scripting (docs/keys.md has the complete ACL); or in Java use CommandStyle.TRANSACTIONS, which polls"
                            + " instead of queueing.");
        }
    }
}
