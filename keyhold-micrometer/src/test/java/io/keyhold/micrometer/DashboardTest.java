package io.keyhold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The dashboard asks only for metrics and labels that Prometheus gets. */
final class DashboardTest {

    private static final Pattern SAMPLE = Pattern.compile("(keyhold_\\w+)(?:\\{([^}]*)\\})? \\S+");
    private static final Pattern METRIC = Pattern.compile("(keyhold_\\w+)(?:\\{([^}]*)\\})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)");
    private static final Pattern BY = Pattern.compile("by \\(([^)]*)\\)");

    @Test
    void everyQueryFindsItsMetricAndLabels() throws IOException, InterruptedException {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Exercised.in(registry);
        Map<String, Set<String>> exposed = registry.scrape()
                .lines()
                .map(SAMPLE::matcher)
                .filter(Matcher::matches)
                .collect(Collectors.toMap(
                        sample -> sample.group(1), sample -> labels(sample.group(2)), (one, other) -> one));

        List<String> queries = queries();
        assertThat(queries).hasSizeGreaterThanOrEqualTo(10);
        for (String query : queries) {
            List<MatchResult> metrics = METRIC.matcher(query).results().toList();
            assertThat(metrics).as(query).isNotEmpty();
            for (MatchResult metric : metrics) {
                assertThat(exposed).as(query).containsKey(metric.group(1));
                assertThat(exposed.get(metric.group(1)))
                        .as(query)
                        .containsAll(labels(metric.group(2)))
                        .containsAll(grouping(query));
            }
        }
    }

    private static Set<String> labels(String text) {
        return LABEL.matcher(Objects.requireNonNullElse(text, ""))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> grouping(String query) {
        return BY.matcher(query)
                .results()
                .flatMap(match -> Pattern.compile(", *").splitAsStream(match.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> queries() throws IOException {
        Path file = Path.of(Objects.requireNonNull(System.getProperty("keyhold.root")), "docs/grafana/keyhold.json");
        JsonObject dashboard = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
        return elements(dashboard.getAsJsonArray("panels")).stream()
                .flatMap(panel -> elements(panel.getAsJsonArray("targets")).stream())
                .map(target -> target.get("expr").getAsString())
                .toList();
    }

    private static List<JsonObject> elements(JsonArray array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .toList();
    }
}
