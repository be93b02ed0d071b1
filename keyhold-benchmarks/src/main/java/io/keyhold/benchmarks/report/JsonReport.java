package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.shape.Measurement;
import io.keyhold.benchmarks.shape.Part;
import io.keyhold.benchmarks.statistics.Latencies;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Every round as JSON, for further calculation. */
final class JsonReport {
    private JsonReport() {}

    static String of(Report report) {
        // One shape per line.
        String shapes = report.results().stream()
                .map(result -> "    " + JsonWriter.of(result.shape().id()) + ": " + JsonWriter.of(shape(result)))
                .collect(Collectors.joining(",\n"));
        return "{\n  \"environment\": " + JsonWriter.of(report.environment().facts()) + ",\n  \"shapes\": {\n" + shapes
                + "\n  }\n}\n";
    }

    private static Map<String, Object> shape(ShapeResult result) {
        Map<String, Object> contenders = new LinkedHashMap<>();
        result.figures()
                .forEach((contender, figures) -> contenders.put(
                        contender.id(),
                        figures.rounds().stream().map(JsonReport::round).toList()));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("unit", result.shape().metric().unit());
        fields.put("contenders", contenders);
        return fields;
    }

    private static Map<String, Object> round(Measurement round) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("value", round.value());
        fields.put("commandsPerHold", round.commandsPerHold());
        fields.putAll(percentiles(round.latencies()));
        fields.put("fewestHolds", round.fewest());
        fields.put("mostHolds", round.most());
        fields.put("faults", round.faults());
        round.footprint().ifPresent(footprint -> {
            fields.put("cores", footprint.cores());
            fields.put("heapBytesPerLease", footprint.heapPerLease());
        });
        if (!round.parts().isEmpty()) {
            Map<Integer, Object> parts = new TreeMap<>();
            round.parts().forEach((number, part) -> parts.put(number, part(part)));
            fields.put("parts", parts);
        }
        return fields;
    }

    private static Map<String, Object> part(Part part) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("holdsPerSecond", part.rate());
        fields.putAll(percentiles(part.latencies()));
        return fields;
    }

    private static Map<String, Object> percentiles(Latencies latencies) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (latencies.count() > 0) {
            fields.put("p50Nanos", latencies.percentile(50));
            fields.put("p90Nanos", latencies.percentile(90));
            fields.put("p99Nanos", latencies.percentile(99));
            fields.put("maxNanos", latencies.percentile(100));
        }
        return fields;
    }
}
