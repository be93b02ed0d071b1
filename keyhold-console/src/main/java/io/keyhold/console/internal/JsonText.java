package io.keyhold.console.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * JSON: writes maps, iterables, text, numbers, booleans and null, durations as milliseconds, and what is absent as null; reads flat objects. For the console and
 * for the command.
 */
public final class JsonText {

    private static final int LONGEST_NUMBER = 18;

    private final StringBuilder out = new StringBuilder(256);

    private JsonText() {}

    /** Writes a value in one line. */
    public static String of(@Nullable Object value) {
        JsonText json = new JsonText();
        json.write(value, "");
        return json.out.toString();
    }

    /** Writes a value in several indented lines. */
    public static String indented(@Nullable Object value) {
        JsonText json = new JsonText();
        json.write(value, "\n");
        return json.out.toString();
    }

    /** Writes a value; the line break in front of its end, with the indentation, is empty if all of it is one line. */
    private void write(@Nullable Object value, String lineBreak) {
        String inner = lineBreak.isEmpty() ? "" : lineBreak + "  ";
        if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Optional<?> optional) {
            write(optional.orElse(null), lineBreak);
        } else if (value instanceof OptionalLong number) {
            write(number.isPresent() ? number.getAsLong() : null, lineBreak);
        } else if (value instanceof Duration duration) {
            out.append(duration.toMillis());
        } else if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> field : map.entrySet()) {
                out.append(separator).append(inner);
                quote(String.valueOf(field.getKey()));
                out.append(lineBreak.isEmpty() ? ":" : ": ");
                write(field.getValue(), inner);
                separator = ",";
            }
            out.append(map.isEmpty() ? "{}" : lineBreak + "}");
        } else if (value instanceof Iterable<?> items) {
            String separator = "[";
            for (Object item : items) {
                out.append(separator).append(inner);
                write(item, inner);
                separator = ",";
            }
            out.append(separator.equals("[") ? "[]" : lineBreak + "]");
        } else {
            quote(value.toString());
        }
    }

    /** Writes control characters, lone surrogates and what would end a script element or a line of JavaScript as escapes. */
    private void quote(String text) {
        out.append('"');
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c < ' '
                    || c == 0x7f
                    || c == '<'
                    || c == 0x2028
                    || c == 0x2029
                    || Character.isSurrogate((char) c)) {
                out.append(Printable.escape(c));
            } else {
                out.append((char) c);
            }
        });
        out.append('"');
    }

    /**
     * Reads an object whose values are text ({@code String}), whole numbers ({@code Long}), booleans or null.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static Map<String, @Nullable Object> readObject(String json) {
        return new Reader(json).object();
    }

    private static final class Reader {

        private final String json;
        private int at;

        Reader(String json) {
            this.json = json;
        }

        Map<String, @Nullable Object> object() {
            Map<String, @Nullable Object> fields = new HashMap<>();
            expect('{');
            if (next() == '}') {
                at++;
            } else {
                do {
                    String name = text();
                    expect(':');
                    fields.put(name, value());
                } while (more());
            }
            if (at < json.stripTrailing().length()) {
                throw wrong();
            }
            return fields;
        }

        private boolean more() {
            char c = next();
            at++;
            if (c != ',' && c != '}') {
                throw wrong();
            }
            return c == ',';
        }

        private @Nullable Object value() {
            char c = next();
            if (c == '"') {
                return text();
            }
            int from = at;
            while (at < json.length() && (Character.isLetterOrDigit(json.charAt(at)) || json.charAt(at) == '-')) {
                at++;
            }
            String word = json.substring(from, at);
            return switch (word) {
                case "null" -> null;
                case "true" -> true;
                case "false" -> false;
                default -> number(word);
            };
        }

        private long number(String word) {
            if (word.length() > LONGEST_NUMBER || !word.matches("-?\\d+")) {
                throw wrong();
            }
            return Long.parseLong(word);
        }

        private String text() {
            expect('"');
            StringBuilder text = new StringBuilder();
            while (true) {
                char c = take();
                if (c == '"') {
                    return text.toString();
                }
                text.append(c == '\\' ? escaped() : c);
            }
        }

        private char escaped() {
            char c = take();
            return switch (c) {
                case 'n' -> '\n';
                case 't' -> '\t';
                case 'r' -> '\r';
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'u' -> unicode();
                case '"', '\\', '/' -> c;
                default -> throw wrong();
            };
        }

        private char unicode() {
            if (at + 4 > json.length() || !json.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
                throw wrong();
            }
            at += 4;
            return (char) Integer.parseInt(json.substring(at - 4, at), 16);
        }

        private char take() {
            if (at >= json.length()) {
                throw wrong();
            }
            return json.charAt(at++);
        }

        private char next() {
            while (at < json.length() && Character.isWhitespace(json.charAt(at))) {
                at++;
            }
            if (at >= json.length()) {
                throw wrong();
            }
            return json.charAt(at);
        }

        private void expect(char c) {
            if (next() != c) {
                throw wrong();
            }
            at++;
        }

        private IllegalArgumentException wrong() {
            return new IllegalArgumentException("must be a JSON object with text values, is wrong at character " + at);
        }
    }
}
