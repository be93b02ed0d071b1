package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.QueuePlace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Lua scripts, each in the file of its name. The file names its keys and arguments in the lines {@code -- KEYS …} and
 * {@code -- ARGV …}; the names become local variables of the script, and {@link ScriptCall} holds the Java side to the same
 * names and order. A line {@code -- USES …} is replaced by another file, which may have such lines too. A line
 * {@code -- CONSTANTS …} names values that are the same for all calls: an argument would cost the server more than it seems. A line
 * {@code -- DURABLE …} is left out, except in the variant of the script for {@link DurableGrants}.
 */
enum Script {
    ACQUIRE,
    ACQUIRE_PERMITS,
    ACQUIRE_ALL,
    RELEASE,
    RELEASE_PERMITS,
    RELEASE_ALL,
    REST,
    REST_PERMITS,
    RENEW,
    RENEW_PERMITS,
    FORCE,
    LOOK_PERMITS,
    RESIZE,
    VOTE,
    RAISE,
    GIVE_UP,
    ADMIT,
    ARM;

    private static final String USES = "-- USES ";
    private static final String DURABLE = "-- DURABLE ";
    private static final String NONE = "none";

    private static final Map<Script, Text> TEXTS = new ConcurrentHashMap<>();
    private static final Map<Script, Text> DURABLE_TEXTS = new ConcurrentHashMap<>();

    /**
     * A script, ready for use.
     *
     * @param keyNames the names of its keys; empty if their number varies
     * @param argumentNames the names of its arguments; empty if their number varies
     */
    record Text(List<String> keyNames, List<String> argumentNames, String source, String sha1) {}

    /** Returns what is in the file. Read when first needed: most clients need few scripts, and short-lived ones should not wait for all. */
    Text text() {
        return TEXTS.computeIfAbsent(this, script -> read(script.file(), Script::withoutDurable));
    }

    /** Returns its variant for durable grants. Those that acquire take the marker of the incarnation as an additional last key. */
    Text durable() {
        return DURABLE_TEXTS.computeIfAbsent(this, script -> read(script.file(), Script::withDurable));
    }

    /** Returns the name of its file, without the ending. */
    String file() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static Text read(String name, UnaryOperator<String> variant) {
        String file = variant.apply(content(name));
        List<String> keyNames = names(file, "KEYS");
        List<String> argumentNames = names(file, "ARGV");
        String source = locals("KEYS", keyNames) + locals("ARGV", argumentNames) + constants(file) + withUsed(file);
        return new Text(keyNames, argumentNames, source, sha1(source));
    }

    private static long constant(String name) {
        return switch (name) {
            case "stride" -> LockValue.STRIDE;
            case "keep" -> QueuePlace.KEPT_MILLIS;
            case "retention" -> Limit.RETENTION.toMillis();
            case "readwrite" -> Limit.READ_WRITE;
            default -> throw new IllegalStateException("script asks for the unknown constant '" + name + "'");
        };
    }

    private static boolean isDurable(String line) {
        return line.stripLeading().startsWith(DURABLE);
    }

    private static String withoutDurable(String file) {
        return file.lines().filter(line -> !isDurable(line)).collect(Collectors.joining("\n"));
    }

    private static String withDurable(String file) {
        return file.lines()
                .map(line -> isDurable(line) ? line.stripLeading().substring(DURABLE.length()) : line)
                .collect(Collectors.joining("\n"));
    }

    private static String withUsed(String file) {
        return file.lines()
                .map(line -> line.startsWith(USES) ? withUsed(content(line.substring(USES.length()))) : line)
                .collect(Collectors.joining("\n"));
    }

    private static String content(String name) {
        try (InputStream file = Script.class.getResourceAsStream(name + ".lua")) {
            if (file == null) {
                throw new IllegalStateException("script " + name + ".lua is missing from Keyhold's jar");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The names in the header line; empty where their number varies, and the script counts for itself. */
    private static List<String> names(String file, String table) {
        String names = header(file, table)
                .orElseThrow(() -> new IllegalStateException("script has no '-- " + table + "' line"));
        return names.endsWith("...") || names.equals(NONE) ? List.of() : List.of(names.split(" "));
    }

    private static Optional<String> header(String file, String name) {
        String beginning = "-- " + name + " ";
        for (String line : file.lines().toList()) {
            if (line.startsWith(beginning)) {
                return Optional.of(line.substring(beginning.length()).trim());
            }
        }
        return Optional.empty();
    }

    private static String constants(String file) {
        return header(file, "CONSTANTS").stream()
                .flatMap(names -> Stream.of(names.split(" ")))
                .map(name -> "local " + name + " = " + constant(name) + " ")
                .collect(Collectors.joining("", "", "\n"));
    }

    private static String locals(String table, List<String> names) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            line.append("local ").append(names.get(i)).append(" = ").append(table);
            line.append('[').append(i + 1).append("] ");
        }
        return line.append('\n').toString();
    }

    private static String sha1(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-1");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
