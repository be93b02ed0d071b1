package io.keyhold.benchmarks;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.report.Figures;
import io.keyhold.benchmarks.report.ShapeResult;
import io.keyhold.benchmarks.shape.Effort;
import io.keyhold.benchmarks.shape.Shape;
import io.keyhold.benchmarks.shape.Workers;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the shapes one after another. Within a shape all contenders are started and warmed up. Then the rounds are interleaved
 * (every contender's first round, then every contender's second), so that other load on the machine affects all of them alike.
 */
final class Benchmark {
    private final Arguments arguments;
    private final RedisServer server;
    private final Path log;
    private final Progress progress;

    Benchmark(Arguments arguments, RedisServer server, Path log, Progress progress) {
        this.arguments = arguments;
        this.server = server;
        this.log = log;
        this.progress = progress;
    }

    List<ShapeResult> run() throws InterruptedException {
        List<ShapeResult> results = new ArrayList<>();
        for (Shape shape : arguments.shapes()) {
            results.add(run(shape));
        }
        return results;
    }

    /** Runs on the server that all shapes share, or on several that are started for this shape. */
    private ShapeResult run(Shape shape) throws InterruptedException {
        if (shape.replicated() && arguments.redis().isEmpty()) {
            try (RedisServers replicated = RedisServers.startReplicated()) {
                return run(shape, replicated);
            }
        }
        if (shape.servers() == 1 || arguments.redis().isPresent()) {
            ShapeResult result = run(shape, RedisServers.of(server));
            server.sweep();
            return result;
        }
        try (RedisServers several = RedisServers.start(shape.servers())) {
            return run(shape, several);
        }
    }

    private ShapeResult run(Shape shape, RedisServers servers) throws InterruptedException {
        progress.note(shape.id() + ": " + shape.title());
        Map<Contender, String> absent = new EnumMap<>(Contender.class);
        Map<Contender, Figures> figures = new EnumMap<>(Contender.class);
        Map<Contender, Workers> workers = new EnumMap<>(Contender.class);
        try {
            for (Contender contender : arguments.contenders()) {
                if (contender.offers(shape.primitive())) {
                    arguments
                            .exclusion(shape, contender)
                            .ifPresentOrElse(
                                    reason -> absent.put(contender, reason),
                                    () -> figures.put(contender, new Figures()));
                }
            }
            for (Contender contender : List.copyOf(figures.keySet())) {
                attempt(contender, figures, absent, () -> workers.put(contender, start(shape, contender, servers)));
            }
            int rounds = shape.effort(arguments.effort()).rounds();
            for (int round = 1; round <= rounds; round++) {
                String label = "round " + round + " of " + rounds;
                for (Contender contender : List.copyOf(figures.keySet())) {
                    attempt(
                            contender,
                            figures,
                            absent,
                            () -> round(shape, workers.get(contender), figures.get(contender), label));
                }
            }
        } finally {
            workers.values().forEach(Workers::close);
        }
        absent.forEach((contender, reason) -> progress.note("  " + contender.id() + ": not measured, " + reason));
        figures.forEach((contender, figure) -> progress.note(String.format(
                Locale.ROOT,
                figure.value() < 10 ? "  %-24s %,12.2f %s" : "  %-24s %,12.0f %s",
                contender.id(),
                figure.value(),
                shape.metric().unit())));
        return new ShapeResult(shape, figures, absent);
    }

    private Workers start(Shape shape, Contender contender, RedisServers servers) throws InterruptedException {
        progress.step(shape.id() + " " + contender.id() + ": start and warm-up");
        Effort effort = shape.effort(arguments.effort());
        List<WorkerProcess> processes = new ArrayList<>();
        try {
            long lease =
                    shape.renewedLease().map(duration -> duration.toMillis()).orElse(0L);
            for (int jvm = 0; jvm < shape.jvms(); jvm++) {
                processes.add(WorkerProcess.start(log));
            }
            for (WorkerProcess process : processes) {
                process.send("open " + contender.id() + " " + String.join(",", servers.uris()) + " " + lease);
            }
            for (WorkerProcess process : processes) {
                process.await("ready");
            }
            Workers started = new Workers(contender, servers, processes);
            shape.warmUp(started, effort.warmUp());
            progress.done(Plan.startSeconds(shape, effort));
            return started;
        } catch (InterruptedException | RuntimeException e) {
            processes.forEach(WorkerProcess::close);
            throw e;
        }
    }

    private void round(Shape shape, @Nullable Workers workers, @Nullable Figures figures, String label)
            throws InterruptedException {
        if (workers != null && figures != null) {
            progress.step(shape.id() + " " + workers.contender().id() + ": " + label);
            Effort effort = shape.effort(arguments.effort());
            figures.add(shape.measure(workers, effort.measured()));
            progress.done(Plan.roundSeconds(shape, effort));
        }
    }

    /** Runs a step of a contender. One that fails is left out of the shape; the others continue. */
    private void attempt(Contender contender, Map<Contender, Figures> figures, Map<Contender, String> absent, Step step)
            throws InterruptedException {
        try {
            step.run();
        } catch (RuntimeException e) {
            figures.remove(contender);
            absent.put(contender, "FAILED: " + e.getMessage());
        }
    }

    private interface Step {
        void run() throws InterruptedException;
    }
}
