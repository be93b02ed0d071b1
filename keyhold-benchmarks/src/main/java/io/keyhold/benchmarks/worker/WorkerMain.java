package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.contender.LockClient;
import io.keyhold.benchmarks.contender.OpenOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that runs the commands on its standard input, a line each, and replies to each with a line on its standard output:
 *
 * <pre>
 * open CONTENDER URI[,URI...] LEASE_MILLIS       ready            (0: the library's own lease)
 * loop THREADS KEYS TIMED PRIMITIVE NUMBER KEY   looping
 * measure                                        measuring
 * halt                                           halted
 * end                                            result …
 * handover KEY                                   prepared
 * acquire                                        acquiring, and later: acquired NANOS
 * release                                        released NANOS
 * hold FIRST END KEY                             holding
 * occupy PERMITS TAKEN KEY                       occupied
 * heap                                           heap BYTES       (after a garbage collection)
 * </pre>
 *
 * <p>It ends with its input, so it does not outlive the benchmark.
 */
public final class WorkerMain {
    private final PrintStream output;
    private final ManyHolds holds = new ManyHolds();
    private @Nullable LockClient client;
    private @Nullable Loop loop;
    private @Nullable HandOverSide handOver;

    private WorkerMain(PrintStream output) {
        this.output = output;
    }

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws IOException {
        WorkerMain worker = new WorkerMain(System.out);
        // What a library prints is not a reply.
        System.setOut(System.err);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            worker.run(line);
        }
        // The threads of libraries would keep this JVM alive; held locks expire.
        Runtime.getRuntime().halt(0);
    }

    private void run(String line) {
        String[] words = line.split(" ", -1);
        try {
            replyTo(words).ifPresent(this::reply);
        } catch (InterruptedException | RuntimeException | Error e) {
            e.printStackTrace();
            reply("failed " + e);
        }
    }

    private Optional<String> replyTo(String[] words) throws InterruptedException {
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
            case "handover" -> Optional.of(prepareHandOver(words[1]));
            case "acquire" -> {
                handOver().acquire();
                yield Optional.empty(); // The hand-over replies.
            }
            case "release" -> {
                handOver().release();
                yield Optional.empty();
            }
            case "hold" -> {
                holds.acquire(opened(), Integer.parseInt(words[1]), Integer.parseInt(words[2]), words[3]);
                yield Optional.of("holding");
            }
            case "occupy" -> {
                opened().occupy(words[3], Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                yield Optional.of("occupied");
            }
            case "heap" -> Optional.of("heap " + usedHeap());
            default -> throw new IllegalArgumentException("unknown command: " + words[0]);
        };
    }

    private String open(String[] words) {
        long leaseMillis = Long.parseLong(words[3]);
        Optional<Duration> lease = leaseMillis == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(leaseMillis));
        client = Contender.of(words[1]).open(new OpenOptions(List.of(words[2].split(",", -1)), lease));
        return "ready";
    }

    private String startLoop(String[] words) {
        loop = new Loop(opened(), LoopPlan.decode(words), words[6]);
        loop.start();
        return "looping";
    }

    private String prepareHandOver(String key) {
        if (handOver != null) {
            handOver.close();
        }
        handOver = new HandOverSide(opened(), key, this::reply);
        return "prepared";
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private HandOverSide handOver() {
        return Objects.requireNonNull(handOver, "handover first");
    }

    private LockClient opened() {
        return Objects.requireNonNull(client, "open first");
    }

    private Loop running() {
        return Objects.requireNonNull(loop, "loop first");
    }

    private synchronized void reply(String line) {
        output.println(line.replace('\n', ' '));
        output.flush();
    }
}
