package io.keyhold.benchmarks;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.report.Figures;
import io.keyhold.benchmarks.report.ShapeResult;
import io.keyhold.benchmarks.shape.Effort;
import io.keyhold.benchmarks.shape.Shape;
import io.keyhold.benchmarks.shape.Team;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs the shapes one after another. Within a shape all contenders are started and warmed up; then the rounds take turns
 * (every contender's first round, every contender's second round, and so on), so that a slow minute of the machine
 * hits all of them alike.
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

    /** On the one server of all shapes, or on several that are started for this one alone, if anybody takes part. */
    private ShapeResult run(Shape shape) throws InterruptedException {
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
        Map<Entrant, String> absent = new EnumMap<>(Entrant.class);
        Map<Entrant, Figures> figures = new EnumMap<>(Entrant.class);
        Map<Entrant, Team> teams = new EnumMap<>(Entrant.class);
        try {
            for (Entrant entrant : arguments.entrants()) {
                if (entrant.offers(shape.primitive())) {
                    arguments.leftOut(shape, entrant).ifPresentOrElse(why -> absent.put(entrant, why), () -> {
                        figures.put(entrant, new Figures());
                    });
                }
            }
            for (Entrant entrant : List.copyOf(figures.keySet())) {
                attempt(entrant, figures, absent, () -> teams.put(entrant, start(shape, entrant, servers)));
            }
            int rounds = shape.effort(arguments.effort()).rounds();
            for (int round = 1; round <= rounds; round++) {
                String label = "round " + round + " of " + rounds;
                for (Entrant entrant : List.copyOf(figures.keySet())) {
                    attempt(entrant, figures, absent, () -> round(shape, teams, figures, entrant, label));
                }
            }
        } finally {
            teams.values().forEach(Team::close);
        }
        absent.forEach((entrant, why) -> progress.note("  " + entrant.id() + ": left out, " + why));
        figures.forEach((entrant, figure) -> progress.note(String.format(
                Locale.ROOT,
                figure.value() < 10 ? "  %-24s %,12.2f %s" : "  %-24s %,12.0f %s",
                entrant.id(),
                figure.value(),
                shape.metric().unit())));
        return new ShapeResult(shape, figures, absent);
    }

    private Team start(Shape shape, Entrant entrant, RedisServers servers) throws InterruptedException {
        progress.step(shape.id() + " " + entrant.id() + ": start and warm-up");
        List<WorkerProcess> workers = new ArrayList<>();
        Team team;
        try {
            long lease =
                    shape.renewedLease().map(duration -> duration.toMillis()).orElse(0L);
            for (int jvm = 0; jvm < shape.jvms(); jvm++) {
                workers.add(WorkerProcess.start(log));
            }
            for (WorkerProcess worker : workers) {
                worker.order("open " + entrant.id() + " " + String.join(",", servers.uris()) + " " + lease);
            }
            for (WorkerProcess worker : workers) {
                worker.await("ready");
            }
            team = new Team(entrant, servers, workers);
            shape.warmUp(team, shape.effort(arguments.effort()).warmUp());
        } catch (InterruptedException | RuntimeException e) {
            workers.forEach(WorkerProcess::close);
            throw e;
        }
        progress.done(Plan.startSeconds(shape, shape.effort(arguments.effort())));
        return team;
    }

    private void round(
            Shape shape, Map<Entrant, Team> teams, Map<Entrant, Figures> figures, Entrant entrant, String label)
            throws InterruptedException {
        progress.step(shape.id() + " " + entrant.id() + ": " + label);
        Effort effort = shape.effort(arguments.effort());
        Team team = teams.get(entrant);
        Figures own = figures.get(entrant);
        if (team != null && own != null) {
            own.add(shape.measure(team, effort.measured()));
        }
        progress.done(Plan.roundSeconds(shape, effort));
    }

    /** A contender that fails leaves the shape, and the others go on. */
    private void attempt(Entrant entrant, Map<Entrant, Figures> figures, Map<Entrant, String> absent, Step step)
            throws InterruptedException {
        try {
            step.run();
        } catch (RuntimeException e) {
            figures.remove(entrant);
            absent.put(entrant, "FAILED: " + e.getMessage());
        }
    }

    private interface Step {
        void run() throws InterruptedException;
    }
}
