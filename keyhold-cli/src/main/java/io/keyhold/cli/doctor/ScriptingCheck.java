package io.keyhold.cli.doctor;

import io.keyhold.spi.RedisErrorException;

/** Whether this user may run scripts, in which Keyhold does all that has to be done at once. */
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
    public Finding examine() {
        try {
            server.call("EVAL", "return redis.call('TIME')", "0");
            return Finding.ok(this, "allowed");
        } catch (RedisErrorException refused) {
            return Finding.fail(
                    this,
                    "refused: " + refused.getMessage(),
                    "The keyhold command and a client with its usual settings cannot take locks.",
                    "Allow +@scripting (docs/keys.md has the whole rule); or in Java use CommandStyle.TRANSACTIONS, which"
                            + " polls instead of waiting in line.");
        }
    }
}
