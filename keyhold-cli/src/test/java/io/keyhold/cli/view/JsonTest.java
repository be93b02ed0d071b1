package io.keyhold.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class JsonTest {

    private static Map<String, @Nullable Object> sample() {
        Map<String, @Nullable Object> sample = new LinkedHashMap<>();
        sample.put("text", "a \"quoted\" \\ back\u001b[31m\n ünï 😀 \ud800");
        sample.put("number", 1_794_806_211_711_527L);
        sample.put("yes", true);
        sample.put("nothing", null);
        sample.put("list", Arrays.asList(1, "two", List.of(), Map.of()));
        return sample;
    }

    @Test
    void valuesSurviveARoundTrip() {
        for (String text : List.of(Json.pretty(sample()), Json.line(sample()))) {
            Map<?, ?> read = StrictJson.read(text).getAsJsonObject().asMap();
            assertThat(read.keySet().toString()).isEqualTo("[text, number, yes, nothing, list]");
            assertThat(StrictJson.read(text).getAsJsonObject().get("text").getAsString())
                    .isEqualTo(sample().get("text"));
            assertThat(StrictJson.read(text).getAsJsonObject().get("number").getAsLong())
                    .isEqualTo(1_794_806_211_711_527L);
        }
    }

    @Test
    void lineHasNoLineBreak() {
        assertThat(Json.line(sample()))
                .doesNotContain("\n")
                .contains("\"yes\":true,\"nothing\":null,\"list\":[1,\"two\",[],{}]");
    }

    @Test
    void prettyIsIndented() {
        assertThat(Json.pretty(Map.of("a", List.of(1, 2)))).isEqualTo("""
                {
                  "a": [
                    1,
                    2
                  ]
                }""");
    }
}
