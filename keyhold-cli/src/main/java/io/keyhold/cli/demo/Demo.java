package io.keyhold.cli.demo;

import io.keyhold.Keyhold;
import io.keyhold.cli.view.Output;
import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Starts the workers, kills one of them, stops them, and reports what was proved. */
public final class Demo {

    /** How often new events are read. */
    private static final Duration REFRESH_INTERVAL = Duration.ofMillis(100);

    /** For the end of workers on a busy machine, and for the lease of the killed worker. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    /** Long, because the server is on this machine: if it does not reply, it is busy. */
    private static final String TIMEOUTS = "?connectTimeout=10s&commandTimeout=10s";

    /** The terminal sends Ctrl-C to all processes; this process may handle it later than its workers by this much. */
    private static final Duration SIGNAL_DELAY = Duration.ofMillis(500);

    private static volatile boolean ending;

    private final Settings settings;
    private final Output output = new Output();
    private final History history = new History();
    private final EventFormatter formatter = new EventFormatter(System.currentTimeMillis(), history);
    private final Duration lease;
    private final long startNanos = System.nanoTime();

    /**
     * The settings of a demo.
     *
     * @param seconds how long the workers contend
     * @param workers the number of workers
     * @param lease the lease of the workers
     * @param onTerminal whether to draw on a terminal; otherwise it prints lines
     * @param cheat whether the last worker ignores the locks, which the report must show
     */
    public record Settings(int seconds, int workers, Duration lease, boolean onTerminal, boolean cheat) {}

    private Demo(Settings settings) {
        this.settings = settings;
        this.lease = settings.lease();
    }

    /** Runs a demo. */
    public static Outcome run(Settings settings) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("keyhold-demo");
        Thread removal = new Thread(
                () -> {
                    ending = true;
                    remove(folder);
                },
                "keyhold-demo-removal");
        Runtime.getRuntime().addShutdownHook(removal);
        try {
            return new Demo(settings).in(folder);
        } finally {
            if (!ending) {
                remove(folder);
                Runtime.getRuntime().removeShutdownHook(removal);
            }
        }
    }

    private Outcome in(Path folder) throws IOException, InterruptedException {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold keyhold =
                        Keyhold.builder().uri(server.uri()).clientName("demo").build();
                EventLog log = new EventLog(folder);
                EventLogReader reader = new EventLogReader(folder);
                WorkerProcesses processes = new WorkerProcesses(folder)) {
            String title = settings.workers() + " worker processes on their own Redis server at " + server.host() + ":"
                    + server.port();
            output.line("keyhold demo: " + title);
            for (int i = 1; i <= settings.workers(); i++) {
                boolean cheats = settings.cheat() && i == settings.workers();
                processes.start("worker-" + i, server.uri() + TIMEOUTS, lease, cheats);
            }
            boolean quit;
            try (DemoView view = settings.onTerminal()
                    ? new TerminalView(output, keyhold.inspect(), processes, this::clock)
                    : new PlainView(output)) {
                quit = run(view, processes, log, reader);
                processes.finish(TIMEOUT);
                showNewEvents(view, reader);
            }
            if (processes.failure().isPresent()) {
                Thread.sleep(SIGNAL_DELAY.toMillis());
            }
            if (ending) {
                return Outcome.ENDED_EARLY;
            }
            Report report = quit
                    ? Report.stoppedEarly(history, lease, processes.failure())
                    : Report.of(history, lease, processes.failure());
            output.line("");
            output.lines(report.lines());
            return report.outcome();
        }
    }

    /** Runs to the end; returns whether the user quit before. */
    private boolean run(DemoView view, WorkerProcesses processes, EventLog log, EventLogReader reader)
            throws InterruptedException {
        String victim = processes.names().get(0);
        boolean staySent = false;
        boolean quit = false;
        while (!quit && !isOver() && processes.failure().isEmpty()) {
            showNewEvents(view, reader);
            if (!staySent
                    && elapsed()
                                    .compareTo(Duration.ofSeconds(settings.seconds())
                                            .dividedBy(4))
                            > 0) {
                staySent = true;
                processes.send(victim, "stay");
            }
            if (staysInside(victim) && history.first(Event.Kind.KILLED).isEmpty()) {
                processes.kill(victim);
                log.append(Event.Kind.KILLED, Resource.LOCK, victim, 0);
            }
            quit = view.quitWithin(REFRESH_INTERVAL);
        }
        return quit;
    }

    /** Whether the worker stays inside. */
    private boolean staysInside(String victim) {
        return history.first(Event.Kind.STAYS)
                .filter(stay -> stay.worker().equals(victim))
                .isPresent();
    }

    private void showNewEvents(DemoView view, EventLogReader reader) {
        List<String> newLines = new ArrayList<>();
        for (Event event : reader.next()) {
            history.add(event);
            formatter.format(event).ifPresent(newLines::add);
        }
        view.show(history, newLines);
    }

    /**
     * Whether the time is up and every claim is decided, or was not for too long; or the workers did not start in time.
     */
    private boolean isOver() {
        if (history.ready() < settings.workers()) {
            return System.nanoTime() - startNanos > START_TIMEOUT.toNanos();
        }
        Duration planned = Duration.ofSeconds(settings.seconds());
        return elapsed().compareTo(planned) >= 0 && (!isOpen() || elapsed().compareTo(planned.plus(TIMEOUT)) > 0);
    }

    private boolean isOpen() {
        return Report.stoppedEarly(history, lease, Optional.empty()).open();
    }

    /** Returns the time since all workers are ready. */
    private Duration elapsed() {
        if (history.ready() < settings.workers()) {
            return Duration.ZERO;
        }
        long start = history.events().stream()
                .filter(event -> event.kind() == Event.Kind.READY)
                .mapToLong(Event::millis)
                .max()
                .orElseThrow();
        return Duration.ofMillis(System.currentTimeMillis() - start);
    }

    private String clock() {
        return history.ready() < settings.workers()
                ? "waiting for " + (settings.workers() - history.ready()) + " workers to start"
                : String.format(Locale.ROOT, "%.1f of %d s", elapsed().toMillis() / 1e3, settings.seconds());
    }

    /** Removes the directory if possible; leftovers in a temporary directory must not prevent the report. */
    static void remove(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException inUseOrGone) {
            // A worker still runs, or the directory was removed already.
        }
    }
}
