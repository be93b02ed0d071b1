package io.keyhold.tests;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.RedisCommands;

/** Every way to reach a Redis server. */
public enum Setup {
    JEDIS_SCRIPTS("jedis", RedisCommands.SCRIPTS),
    JEDIS_TRANSACTIONS("jedis", RedisCommands.TRANSACTIONS),
    LETTUCE_SCRIPTS("lettuce", RedisCommands.SCRIPTS),
    LETTUCE_TRANSACTIONS("lettuce", RedisCommands.TRANSACTIONS);

    private final String driver;
    private final RedisCommands commands;

    Setup(String driver, RedisCommands commands) {
        this.driver = driver;
        this.commands = commands;
    }

    /** A client of the server at this URI; parameters may follow as {@code name=value}. */
    public KeyholdBuilder client(String uri, String... parameters) {
        String all = "driver=" + driver + (parameters.length == 0 ? "" : "&" + String.join("&", parameters));
        return Keyhold.builder().uri(uri + "?" + all).commands(commands);
    }

    /** How its operations are made atomic. */
    public RedisCommands commands() {
        return commands;
    }

    /** What a request to acquire looks like on the wire. */
    public String acquireOnTheWire() {
        return commands == RedisCommands.SCRIPTS ? "EVAL" : "EXEC";
    }
}
