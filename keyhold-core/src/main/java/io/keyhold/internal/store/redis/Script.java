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
import org.jspecify.annotations.Nullable;

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
    private final Map<String, Long> constants;
    private volatile @Nullable Reading reading;

    /** The script in the file of this name, with these constants. */
    Script(String name, Map<String, Long> constants) {
        this.name = name;
        this.constants = constants;
    }

    /** What stands in the file, ready for use. */
    private record Reading(List<String> keyNames, List<String> argumentNames, String source, String sha1) {}

    /** Read when it is first needed: most clients need few scripts, and those that live shortly should not wait for all. */
    private Reading reading() {
        Reading known = reading;
        if (known == null) {
            known = read(name, constants);
            reading = known;
        }
        return known;
    }

    private static Reading read(String name, Map<String, Long> constants) {
        String text = text(name);
        List<String> keyNames = names(text, "KEYS");
        List<String> argumentNames = names(text, "ARGV");
        String source =
                locals("KEYS", keyNames) + locals("ARGV", argumentNames) + constants(text, constants) + withUsed(text);
        return new Reading(keyNames, argumentNames, source, sha1(source));
    }

    /** Starts a call of this script. */
    ScriptCall call() {
        return new ScriptCall(this);
    }

    String name() {
        return name;
    }

    List<String> keyNames() {
        return reading().keyNames;
    }

    List<String> argumentNames() {
        return reading().argumentNames;
    }

    String source() {
        return reading().source;
    }

    String sha1() {
        return reading().sha1;
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
