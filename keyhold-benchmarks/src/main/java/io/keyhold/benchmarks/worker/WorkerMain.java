package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.contender.OpenOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that does what the lines on its standard input say, and answers each with a line on its standard output:
 *
 * <pre>
 * open ENTRANT URI[,URI...] LEASE_MILLIS         ready            (0: the library's own lease)
 * loop THREADS KEYS TIMED PRIMITIVE NUMBER KEY   looping
 * measure                                        measuring
 * halt                                           halted
 * end                                            result …
 * baton KEY                                      baton
 * enter                                          asking, and later: entered NANOS
 * leave                                          left NANOS
 * hold COUNT KEY                                 holding
 * occupy PERMITS TAKEN KEY                       occupied
 * </pre>
 *
 * <p>It ends with its input, so that it does not outlive the runner.
 */
public final class WorkerMain {
    private final PrintStream output;
    private @Nullable Contender contender;
    private @Nullable Loop loop;
    private @Nullable Baton baton;

    private WorkerMain(PrintStream output) {
        this.output = output;
    }

    /** Reads lines to the end. */
    public static void main(String[] arguments) throws IOException {
        WorkerMain worker = new WorkerMain(System.out);
        // Whatever a library prints is not an answer.
        System.setOut(System.err);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            worker.obey(line);
        }
        // Libraries keep threads that would keep this JVM; what it holds on the server ends by itself.
        Runtime.getRuntime().halt(0);
    }

    private void obey(String line) {
        String[] words = line.split(" ", -1);
        try {
            answer(words).ifPresent(this::reply);
        } catch (InterruptedException | RuntimeException | Error e) {
            e.printStackTrace();
            reply("failed " + e);
        }
    }

    private Optional<String> answer(String[] words) throws InterruptedException {
        return switch (words[0]) {
            case "open" -> Optional.of(open(words));
            case "loop" -> Optional.of(startLoop(words));
            case "measure" -> {
                running().measure();
                yield Optional.of("measuring");
            }
            case "halt" -> {
                running().halt();
                yield Optional.of("halted");
            }
            case "end" -> Optional.of("result " + running().end().encode());
            case "baton" -> Optional.of(takeBaton(words[1]));
            case "enter" -> {
                baton().enter();
                yield Optional.empty(); // It answers by itself.
            }
            case "leave" -> {
                baton().leave();
                yield Optional.empty();
            }
            case "hold" -> Optional.of(hold(words));
            case "occupy" -> {
                opened().occupy(words[3], Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                yield Optional.of("occupied");
            }
            default -> throw new IllegalArgumentException("no such order: " + words[0]);
        };
    }

    private String open(String[] words) {
        long leaseMillis = Long.parseLong(words[3]);
        Optional<Duration> lease = leaseMillis == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(leaseMillis));
        contender = Entrant.of(words[1]).open(new OpenOptions(List.of(words[2].split(",", -1)), lease));
        return "ready";
    }

    private String startLoop(String[] words) {
        loop = new Loop(opened(), LoopPlan.decode(words), words[6]);
        loop.start();
        return "looping";
    }

    private String takeBaton(String key) {
        if (baton != null) {
            baton.close();
        }
        baton = new Baton(opened(), key, this::reply);
        return "baton";
    }

    private String hold(String[] words) throws InterruptedException {
        new ManyHolds(opened()).take(Integer.parseInt(words[1]), words[2]);
        return "holding";
    }

    private Baton baton() {
        return Objects.requireNonNull(baton, "baton first");
    }

    private Contender opened() {
        return Objects.requireNonNull(contender, "open first");
    }

    private Loop running() {
        return Objects.requireNonNull(loop, "loop first");
    }

    private synchronized void reply(String line) {
        output.println(line.replace('\n', ' '));
        output.flush();
    }
}
