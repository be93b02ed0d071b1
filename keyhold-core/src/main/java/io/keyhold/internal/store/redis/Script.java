package io.keyhold.internal.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Lua script. Its file names its keys and arguments in the lines {@code -- KEYS …} and {@code -- ARGV …}; the names
 * become local variables of the script, and {@link ScriptCall} holds the Java side to the same names and order. A line
 * {@code -- CONSTANTS …} names values that are the same for all calls, and in place of a line {@code -- USES …} stands
 * another file.
 */
final class Script {

    private static final String USES = "-- USES ";
    private static final String NONE = "none";

    private final String name;
    private final List<String> keyNames;
    private final List<String> argumentNames;
    private final String source;
    private final String sha1;

    /** The script in the file of this name, with these constants. */
    Script(String name, Map<String, Long> constants) {
        String text = text(name);
        this.name = name;
        keyNames = names(text, "KEYS");
        argumentNames = names(text, "ARGV");
        source = locals("KEYS", keyNames) + locals("ARGV", argumentNames) + constants(text, constants) + withUsed(text);
        sha1 = sha1(source);
    }

    /** Starts a call of this script. */
    ScriptCall call() {
        return new ScriptCall(this);
    }

    String name() {
        return name;
    }

    List<String> keyNames() {
        return keyNames;
    }

    List<String> argumentNames() {
        return argumentNames;
    }

    String source() {
        return source;
    }

    String sha1() {
        return sha1;
    }

    private static String withUsed(String text) {
        return text.lines()
                .map(line -> line.startsWith(USES) ? text(line.substring(USES.length())) : line)
                .collect(Collectors.joining("\n"));
    }

    private static String text(String name) {
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
    private static List<String> names(String text, String table) {
        String names = header(text, table)
                .orElseThrow(() -> new IllegalStateException("script has no '-- " + table + "' line"));
        return names.endsWith("...") || names.equals(NONE) ? List.of() : List.of(names.split(" "));
    }

    private static Optional<String> header(String text, String name) {
        String beginning = "-- " + name + " ";
        return text.lines()
                .filter(line -> line.startsWith(beginning))
                .findFirst()
                .map(line -> line.substring(beginning.length()).trim());
    }

    private static String constants(String text, Map<String, Long> values) {
        return header(text, "CONSTANTS").stream()
                .flatMap(names -> Stream.of(names.split(" ")))
                .map(name -> "local " + name + " = " + values.get(name) + " ")
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
