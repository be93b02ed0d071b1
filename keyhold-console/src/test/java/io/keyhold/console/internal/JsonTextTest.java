package io.keyhold.console.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written can be read, by this reader and by another. */
final class JsonTextTest {

    @Test
    void everyTextSurvives() {
        StringBuilder all = new StringBuilder();
        for (char c = 0; c < 0x3000; c++) {
            all.append(c);
        }
        all.append("\ud83d\ude00");
        String json = JsonText.of(Map.of("text", all));
        assertThat(JsonText.readObject(json).get("text")).isEqualTo(all.toString());
        assertThat(JsonParser.parseString(json).getAsJsonObject().get("text").getAsString())
                .isEqualTo(all.toString());
        assertThat(json.chars().allMatch(c -> c >= ' ' && c != '<' && c != 0x7f))
                .isTrue();
    }

    @Test
    void structures() {
        assertThat(JsonText.of(List.of(1, true, List.of(), Map.of(), Map.of("a", List.of(2L)))))
                .isEqualTo("[1,true,[],{},{\"a\":[2]}]");
        assertThat(JsonText.of(List.of(Optional.of("a"), Optional.empty(), OptionalLong.of(3), OptionalLong.empty())))
                .isEqualTo("[\"a\",null,3,null]");
        assertThat(JsonText.of(Optional.of(Duration.ofSeconds(2)))).isEqualTo("2000");
        assertThat(JsonText.of(null)).isEqualTo("null");
        assertThat(JsonText.readObject(" { \"a\" : -12 , \"b\":null,\"c\":true, \"d\":\"x\\/\\n\" } "))
                .containsEntry("a", -12L)
                .containsEntry("b", null)
                .containsEntry("c", true)
                .containsEntry("d", "x/\n");
        assertThat(JsonText.readObject("{}")).isEmpty();
    }

    @Test
    void surrogatesSurviveAlone() {
        String json = JsonText.of(Map.of("text", "\ud800"));
        assertThat(json).isEqualTo("{\"text\":\"\\ud800\"}");
        assertThat(JsonText.readObject(json)).containsEntry("text", "\ud800");
    }

    @Test
    void severalLinesAreIndented() {
        Map<String, Object> value = new TreeMap<>(Map.of("a", List.of(1, "two", List.of(), Map.of()), "b", true));
        String text = JsonText.indented(value);
        assertThat(text).isEqualTo("""
                {
                  "a": [
                    1,
                    "two",
                    [],
                    {}
                  ],
                  "b": true
                }""");
        assertThat(JsonParser.parseString(text)).isEqualTo(JsonParser.parseString(JsonText.of(value)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{\"a\":1}x",
                "{\"a\":{}}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":\"x",
                "{\"a\":1.5}",
                "{\"a\":99999999999999999999}",
                "{\"a\":\"\\x\"}"
            })
    void brokenTextIsRefused(String json) {
        assertThatThrownBy(() -> JsonText.readObject(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be a JSON object");
    }
}
