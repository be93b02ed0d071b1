package io.keyhold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Editors complete every property, with a description, and the page has them all. */
final class MetadataTest {

    private static Map<String, String> metadata() throws Exception {
        try (InputStream file = Objects.requireNonNull(
                KeyholdProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            Map<String, String> descriptions = new TreeMap<>();
            for (JsonNode property : JsonMapper.shared().readTree(file).get("properties")) {
                JsonNode description = property.get("description");
                descriptions.put(property.get("name").asString(), description == null ? "" : description.asString());
            }
            return descriptions;
        }
    }

    private static List<String> properties(String prefix, Class<?> type) {
        List<String> names = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name =
                    prefix + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (component.getType().isRecord()) {
                names.addAll(properties(name + ".", component.getType()));
            } else {
                names.add(name);
            }
        }
        return names;
    }

    @Test
    void everyPropertyHasADescription() throws Exception {
        Map<String, String> metadata = metadata();
        assertThat(metadata.keySet()).containsAll(properties("keyhold.", KeyholdProperties.class));
        assertThat(metadata.keySet()).contains("management.endpoint.locks.access");
        assertThat(metadata)
                .allSatisfy(
                        (name, description) -> assertThat(description).as(name).endsWith("."));
    }

    @Test
    void pageHasEveryProperty() throws Exception {
        String page = Files.readString(Path.of(System.getProperty("keyhold.root", ".."), "docs/spring-boot.md"));
        assertThat(properties("keyhold.", KeyholdProperties.class))
                .hasSizeGreaterThan(20)
                .allSatisfy(name -> assertThat(page).contains("`" + name));
    }

    @Test
    void autoConfigurationsAreListed() throws Exception {
        try (InputStream file = Objects.requireNonNull(KeyholdProperties.class.getResourceAsStream(
                "/META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports"))) {
            assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8).lines())
                    .containsExactlyInAnyOrderElementsOf(Arrays.asList(
                            KeyholdAutoConfiguration.class.getName(),
                            KeyholdConsoleAutoConfiguration.class.getName(),
                            KeyholdHealthAutoConfiguration.class.getName(),
                            KeyholdIntegrationsAutoConfiguration.class.getName(),
                            KeyholdMetricsAutoConfiguration.class.getName(),
                            LocksEndpointAutoConfiguration.class.getName()));
        }
    }
}
