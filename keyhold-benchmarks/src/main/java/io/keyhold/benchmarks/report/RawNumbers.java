package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.shape.Measurement;
import io.keyhold.benchmarks.shape.Part;
import io.keyhold.benchmarks.statistics.LatencyHistogram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Every round as JSON, for those who want to calculate themselves. */
final class RawNumbers {
    private RawNumbers() {}

    static String json(Report report) {
        Map<String, Object> shapes = new LinkedHashMap<>();
        for (ShapeResult result : report.results()) {
            Map<String, Object> contenders = new LinkedHashMap<>();
            result.figures().forEach((entrant, figures) -> contenders.put(entrant.id(), rounds(figures)));
            shapes.put(
                    result.shape().id(), ordered("unit", result.shape().metric().unit(), "contenders", contenders));
        }
        // One shape a line.
        String lines = shapes.entrySet().stream()
                .map(entry -> "    " + Json.of(entry.getKey()) + ": " + Json.of(entry.getValue()))
                .collect(Collectors.joining(",\n"));
        return "{\n  \"environment\": " + Json.of(report.environment().facts()) + ",\n  \"shapes\": {\n" + lines
                + "\n  }\n}";
    }

    private static List<Object> rounds(Figures figures) {
        return figures.rounds().stream().map(RawNumbers::round).toList();
    }

    private static Object round(Measurement round) {
        LatencyHistogram latencies = round.latencies();
        Map<String, Object> fields = ordered("value", round.value(), "commandsPerHold", round.commandsPerHold());
        fields.putAll(percentiles(latencies));
        fields.putAll(ordered("fewestHolds", round.fewest(), "mostHolds", round.most()));
        fields.put("faults", round.faults());
        if (!round.parts().isEmpty()) {
            Map<Integer, Object> parts = new TreeMap<>();
            round.parts().forEach((number, part) -> parts.put(number, part(part)));
            fields.put("parts", parts);
        }
        return fields;
    }

    private static Object part(Part part) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("holdsPerSecond", part.rate());
        fields.putAll(percentiles(part.latencies()));
        return fields;
    }

    private static Map<String, Object> percentiles(LatencyHistogram latencies) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (latencies.total() > 0) {
            fields.put("p50Nanos", latencies.percentile(50));
            fields.put("p90Nanos", latencies.percentile(90));
            fields.put("p99Nanos", latencies.percentile(99));
            fields.put("maxNanos", latencies.largest());
        }
        return fields;
    }

    private static Map<String, Object> ordered(String one, Object first, String two, Object second) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(one, first);
        map.put(two, second);
        return map;
    }
}
