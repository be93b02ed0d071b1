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

/** Directs: starts everybody, has one of them killed, ends it, and says what was proved. */
public final class Demo {

    /** How often is looked what is new. */
    private static final Duration MOMENT = Duration.ofMillis(100);

    /** How long to wait for what has to come: workers that start or end on a busy machine, the dead worker's lock. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration START_PATIENCE = Duration.ofMinutes(2);

    /** The server is on this machine: it has not vanished if it says nothing, but has much to do. */
    private static final String PATIENTLY = "?connectTimeout=10s&commandTimeout=10s";

    /** How much later than its workers this process may hear of Ctrl-C, which the terminal sends to all of them. */
    private static final Duration SIGNAL_DELAY = Duration.ofMillis(500);

    private static volatile boolean ending;

    private final Settings settings;
    private final Output output = new Output();
    private final History history = new History();
    private final Story story = new Story(System.currentTimeMillis(), history);
    private final Duration lease;
    private final long startNanos = System.nanoTime();

    /**
     * How it is to go.
     *
     * @param seconds how long the workers contend
     * @param workers how many
     * @param lease how long a dead one keeps what it has
     * @param onTerminal whether to draw on a terminal; else it writes lines
     * @param cheat whether the last worker goes in without asking, to see that this is noticed
     */
    public record Settings(int seconds, int workers, Duration lease, boolean onTerminal, boolean cheat) {}

    private Demo(Settings settings) {
        this.settings = settings;
        this.lease = settings.lease();
    }

    /** Runs it, and says what came of it. */
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
                Chronicle chronicle = new Chronicle(folder);
                ChronicleReader reader = new ChronicleReader(folder);
                Crew crew = new Crew(folder)) {
            String title = settings.workers() + " workers, each a process of its own, on a Redis server of its own at "
                    + server.host() + ":" + server.port();
            output.line("keyhold demo: " + title);
            for (int i = 1; i <= settings.workers(); i++) {
                boolean honest = !settings.cheat() || i < settings.workers();
                crew.start("worker-" + i, server.uri() + PATIENTLY, lease, honest);
            }
            boolean left;
            try (Stage stage = settings.onTerminal()
                    ? new TerminalStage(output, keyhold.inspect(), crew, this::clock)
                    : new PipeStage(output)) {
                left = play(stage, crew, chronicle, reader);
                crew.finish(PATIENCE);
                hear(stage, reader);
            }
            if (crew.trouble().isPresent()) {
                Thread.sleep(SIGNAL_DELAY.toMillis());
            }
            if (ending) {
                return Outcome.ENDED_EARLY;
            }
            Verdict verdict =
                    left ? Verdict.early(history, lease, crew.trouble()) : Verdict.of(history, lease, crew.trouble());
            output.line("");
            output.lines(verdict.lines());
            return verdict.outcome();
        }
    }

    /** Until its end, and says whether the audience has left before. */
    private boolean play(Stage stage, Crew crew, Chronicle chronicle, ChronicleReader reader)
            throws InterruptedException {
        String victim = crew.names().get(0);
        boolean ordered = false;
        boolean left = false;
        while (!left && !isOver() && crew.trouble().isEmpty()) {
            hear(stage, reader);
            if (!ordered
                    && elapsed()
                                    .compareTo(Duration.ofSeconds(settings.seconds())
                                            .dividedBy(4))
                            > 0) {
                ordered = true;
                crew.order(victim, "stay");
            }
            if (isInside(victim) && history.first(Event.Kind.KILLED).isEmpty()) {
                crew.kill(victim);
                chronicle.append(Event.Kind.KILLED, Prize.LOCK, victim, 0);
            }
            left = stage.isLeftWithin(MOMENT);
        }
        return left;
    }

    /** Whether the worker has said that it stays inside. */
    private boolean isInside(String victim) {
        return history.first(Event.Kind.STAYS)
                .filter(stay -> stay.worker().equals(victim))
                .isPresent();
    }

    private void hear(Stage stage, ChronicleReader reader) {
        List<String> news = new ArrayList<>();
        for (Event event : reader.next()) {
            history.add(event);
            story.tell(event).ifPresent(news::add);
        }
        stage.show(history, news);
    }

    /**
     * When the time is up and all that has to be seen was seen, or was not for too long; and when not all workers have
     * started for too long.
     */
    private boolean isOver() {
        if (history.ready() < settings.workers()) {
            return System.nanoTime() - startNanos > START_PATIENCE.toNanos();
        }
        Duration planned = Duration.ofSeconds(settings.seconds());
        return elapsed().compareTo(planned) >= 0 && (!isOpen() || elapsed().compareTo(planned.plus(PATIENCE)) > 0);
    }

    private boolean isOpen() {
        return Verdict.early(history, lease, Optional.empty()).open();
    }

    /** Counts from when all are ready; until then it has not begun. */
    private Duration elapsed() {
        if (history.ready() < settings.workers()) {
            return Duration.ZERO;
        }
        long begun = history.events().stream()
                .filter(event -> event.kind() == Event.Kind.READY)
                .mapToLong(Event::millis)
                .max()
                .orElseThrow();
        return Duration.ofMillis(System.currentTimeMillis() - begun);
    }

    private String clock() {
        return history.ready() < settings.workers()
                ? "waiting for " + (settings.workers() - history.ready()) + " workers to start"
                : String.format(Locale.ROOT, "%.1f of %d s", elapsed().toMillis() / 1e3, settings.seconds());
    }

    /** As far as it can be done: what is left in a folder for temporary files is no reason to keep the verdict back. */
    static void remove(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException inUseOrGone) {
            // A worker that would not end, or somebody else was faster.
        }
    }
}
