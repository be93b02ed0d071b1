package io.keyhold.tests;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;

import io.keyhold.CommandStyle;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every way to reach a Redis server. */
public enum Setup {
    JEDIS_SCRIPTS("jedis", CommandStyle.SCRIPTS),
    JEDIS_TRANSACTIONS("jedis", CommandStyle.TRANSACTIONS),
    LETTUCE_SCRIPTS("lettuce", CommandStyle.SCRIPTS),
    LETTUCE_TRANSACTIONS("lettuce", CommandStyle.TRANSACTIONS);

    private final String driver;
    private final CommandStyle commands;

    Setup(String driver, CommandStyle commands) {
        this.driver = driver;
        this.commands = commands;
    }

    /**
     * A client of the server at this URI; parameters may follow as {@code name=value}. Unless they say otherwise, its time-outs are
     * long: a busy machine may stall for longer than applications wait.
     */
    public KeyholdBuilder client(String uri, String... parameters) {
        String query = Stream.concat(Stream.of("driver=" + driver), Stream.of(parameters))
                .collect(Collectors.joining("&", "?", ""));
        return Keyhold.builder().uri(withLongTimeouts(uri + query)).commands(commands);
    }

    /** The name of its driver in a URI. */
    public String driver() {
        return driver;
    }

    /** How its operations are made atomic. */
    public CommandStyle commands() {
        return commands;
    }

    /** What a request to acquire looks like on the wire. */
    public String acquireOnTheWire() {
        return commands == CommandStyle.SCRIPTS ? "EVAL" : "EXEC";
    }
}
