package io.keyhold.benchmarks.report;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes maps, collections, texts and numbers as JSON. */
final class JsonWriter {
    private JsonWriter() {}

    static String of(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> text(String.valueOf(entry.getKey())) + ": " + of(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Collection<?> collection) {
            return collection.stream().map(JsonWriter::of).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Double number && !Double.isFinite(number)) {
            return "null";
        }
        return value instanceof Number ? value.toString() : text(String.valueOf(value));
    }

    private static String text(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int index = 0; index < value.length(); index++) {
            char character = value.charAt(index);
            if (character == '"' || character == '\\') {
                quoted.append('\\').append(character);
            } else if (character < ' ') {
                quoted.append(String.format("\\u%04x", (int) character));
            } else {
                quoted.append(character);
            }
        }
        return quoted.append('"').toString();
    }
}
