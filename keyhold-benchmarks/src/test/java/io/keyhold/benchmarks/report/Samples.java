package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.shape.Effort;
import io.keyhold.benchmarks.shape.Measurement;
import io.keyhold.benchmarks.shape.Shapes;
import io.keyhold.benchmarks.statistics.Latencies;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Invented results. */
final class Samples {
    private Samples() {}

    static Figures figures(double commandsPerHold, double... values) {
        Figures figures = new Figures();
        for (double value : values) {
            Latencies latencies = new Latencies();
            latencies.record(Math.round(1e9 / value));
            figures.add(new Measurement(value, commandsPerHold, 10, 20, 0, latencies));
        }
        return figures;
    }

    static ShapeResult result(String shape, Map<Contender, Figures> figures) {
        return new ShapeResult(Shapes.of(shape), new EnumMap<>(figures), Map.of());
    }

    static Report report(ShapeResult... results) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Cores", "2");
        Effort effort = new Effort(3, Duration.ofSeconds(2), Duration.ofSeconds(1));
        return new Report(List.of(results), new Environment(facts), effort);
    }
}
