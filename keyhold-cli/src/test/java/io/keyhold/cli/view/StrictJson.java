package io.keyhold.cli.view;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;

/** Parses strict JSON. */
public final class StrictJson {

    private StrictJson() {}

    public static JsonElement read(String text) {
        try (JsonReader reader = new JsonReader(new StringReader(text))) {
            reader.setStrictness(Strictness.STRICT);
            JsonElement element = JsonParser.parseReader(reader);
            if (reader.peek() != JsonToken.END_DOCUMENT) {
                throw new IllegalArgumentException("more than one value: " + text);
            }
            return element;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
