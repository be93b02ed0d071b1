package io.keyhold.cli.view;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON: maps, lists, strings, numbers, booleans and null. */
public final class Json {

    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();
    private final boolean pretty;

    private Json(boolean pretty) {
        this.pretty = pretty;
    }

    /** Writes a value in several indented lines. */
    public static String pretty(Object value) {
        Json json = new Json(true);
        json.value(value, "\n");
        return json.text.toString();
    }

    /** Writes a value in one line. */
    public static String line(Object value) {
        Json json = new Json(false);
        json.value(value, "");
        return json.text.toString();
    }

    private void value(@Nullable Object value, String newLine) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof Map<?, ?> map) {
            object(map, newLine);
        } else if (value instanceof List<?> list) {
            array(list, newLine);
        } else {
            string(value.toString());
        }
    }

    private void object(Map<?, ?> map, String newLine) {
        text.append('{');
        String inner = deeper(newLine);
        for (Iterator<? extends Map.Entry<?, ?>> each = map.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<?, ?> entry = each.next();
            text.append(inner);
            string(String.valueOf(entry.getKey()));
            text.append(pretty ? ": " : ":");
            value(entry.getValue(), inner);
            text.append(each.hasNext() ? "," : newLine);
        }
        text.append('}');
    }

    private void array(List<?> list, String newLine) {
        text.append('[');
        String inner = deeper(newLine);
        for (Iterator<?> each = list.iterator(); each.hasNext(); ) {
            text.append(inner);
            value(each.next(), inner);
            text.append(each.hasNext() ? "," : newLine);
        }
        text.append(']');
    }

    private String deeper(String newLine) {
        return pretty ? newLine + INDENT : "";
    }

    private void string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char next = value.charAt(i);
            if (next == '"' || next == '\\') {
                text.append('\\').append(next);
            } else if (next < ' ' || next == '\u007f' || Character.isSurrogate(next)) {
                // Also surrogates: a lone one cannot be encoded as UTF-8.
                text.append(String.format("\\u%04x", (int) next));
            } else {
                text.append(next);
            }
        }
        text.append('"');
    }
}
