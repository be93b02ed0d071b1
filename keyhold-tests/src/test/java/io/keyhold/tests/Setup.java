package io.keyhold.tests;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.RedisCommands;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Every way to reach a Redis server. */
public enum Setup {
    JEDIS_SCRIPTS("jedis", RedisCommands.SCRIPTS),
    JEDIS_TRANSACTIONS("jedis", RedisCommands.TRANSACTIONS),
    LETTUCE_SCRIPTS("lettuce", RedisCommands.SCRIPTS),
    LETTUCE_TRANSACTIONS("lettuce", RedisCommands.TRANSACTIONS);

    private static final Map<String, String> PATIENT =
            new TreeMap<>(Map.of("connectTimeout", "20s", "commandTimeout", "20s"));

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
        Map<String, String> all = new TreeMap<>(PATIENT);
        all.put("driver", driver);
        for (String parameter : parameters) {
            String[] parts = parameter.split("=", 2);
            all.put(parts[0], parts[1]);
        }
        return Keyhold.builder().uri(withParameters(uri, all)).commands(commands);
    }

    /** The URI for clients that are made in another way, and are to be patient too; more parameters may follow. */
    public static String patient(String uri) {
        return withParameters(uri, PATIENT);
    }

    private static String withParameters(String uri, Map<String, String> parameters) {
        return uri + "?"
                + parameters.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining("&"));
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
