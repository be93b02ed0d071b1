package io.keyhold.tests;

import static io.keyhold.testkit.driver.DriverUnderTest.patient;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.RedisCommands;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /**
     * A client of the server at this URI; parameters may follow as {@code name=value}. Unless they say so, it is patient: a busy
     * machine may stand still for longer than the time that applications wait.
     */
    public KeyholdBuilder client(String uri, String... parameters) {
        String query = Stream.concat(Stream.of("driver=" + driver), Stream.of(parameters))
                .collect(Collectors.joining("&", "?", ""));
        return Keyhold.builder().uri(patient(uri + query)).commands(commands);
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
