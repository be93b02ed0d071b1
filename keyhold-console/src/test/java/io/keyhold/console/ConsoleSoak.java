package io.keyhold.console;

import com.google.gson.JsonObject;
import io.keyhold.Keyhold;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Three processes fight for 200 locks, a holder is killed, the server is stopped and frozen; measures how long a page needs to tell the truth
 * after each of these events, and how much memory it and the console have.
 */
public final class ConsoleSoak implements AutoCloseable {

    static final int LOCKS = 200;
    private static final int WORKERS = 3;
    /** The key of the holder that is killed. */
    public static final String VICTIM = "soak-victim";

    private static final double LIMIT_SECONDS = 2;
    private static final long MOST_GROWTH = 16;

    private final EmbeddedRedis redis = EmbeddedRedis.start();
    private final List<Process> processes = new ArrayList<>();
    private final Keyhold client = Keyhold.connect(redis.uri());
    private final RedisDriver events = JedisDriver.open(RedisUri.parse(redis.uri()));
    private final ConsoleApi api =
            new ConsoleApi(client, ConsoleOptions.builder().events(events).build());
    private final List<String> failures = new ArrayList<>();
    private final Page page;

    /** A page that shows the console. */
    public interface Page extends AutoCloseable {

        /** Returns whether it shows a lock with this key. */
        boolean shows(String key);

        /** Returns whether it says that the server can be reached. */
        boolean isLive();

        /** Visits the other views, and returns how many megabytes the page has after that. */
        long megabytes();

        @Override
        void close();
    }

    private ConsoleSoak(Function<ConsoleApi, Page> pages) {
        this.page = pages.apply(api);
    }

    /** Runs for this many minutes; returns what went wrong. */
    public static List<String> run(long minutes, Function<ConsoleApi, Page> pages)
            throws IOException, InterruptedException {
        try (ConsoleSoak soak = new ConsoleSoak(pages)) {
            return soak.cycles(minutes);
        }
    }

    private List<String> cycles(long minutes) throws IOException, InterruptedException {
        for (int i = 0; i < WORKERS; i++) {
            start("work", redis.uri(), "worker-" + i);
        }
        await("workers", 60, () -> locks() > 0);
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        List<Long> consoleHeap = new ArrayList<>();
        List<Long> pageHeap = new ArrayList<>();
        do {
            holderIsKilled();
            serverIsStopped();
            serverIsFrozen();
            System.gc();
            consoleHeap.add(
                    (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / 1_000_000);
            pageHeap.add(page.megabytes());
            log("history " + api.history().sizes() + "; locks " + locks());
        } while (System.nanoTime() - end < 0);
        checkFlat("console", consoleHeap);
        checkFlat("page", pageHeap);
        return failures;
    }

    private void checkFlat(String what, List<Long> heap) {
        log("heap of the " + what + " after each cycle, in MB: " + heap);
        // The first third fills what has a limit.
        long early = heap.subList(0, Math.max(1, heap.size() / 3)).stream()
                .mapToLong(size -> size)
                .max()
                .orElse(0);
        long late = heap.get(heap.size() - 1);
        if (late > early + MOST_GROWTH) {
            failures.add("the heap of the " + what + " grew from " + early + " to " + late + " MB");
        }
    }

    private void holderIsKilled() throws IOException, InterruptedException {
        Process victim = start("hold", redis.uri(), VICTIM);
        victim.getInputStream().read();
        measure("a new holder is shown", () -> page.shows(VICTIM));
        victim.destroyForcibly().waitFor();
        processes.remove(victim);
        await("the lease to end", 60, () -> !client.inspect().lock(VICTIM).isHeld());
        measure("the end of a killed holder's lease is shown", () -> !page.shows(VICTIM));
        String timeline = Fixture.response(api, "api/lock", "key", VICTIM).body();
        if (!timeline.contains("\"end\":\"expired\"") && !timeline.contains("\"end\":\"unknown\"")) {
            failures.add("the killed holder did not expire: " + timeline);
        }
    }

    private void serverIsStopped() {
        redis.kill();
        measure("a stopped server is shown", () -> !page.isLive());
        redis.restart();
        measure("a restarted server is shown", page::isLive);
        await("locks again", 60, () -> locks() > 0);
    }

    private void serverIsFrozen() {
        redis.pause();
        measure("a frozen server is shown", () -> !page.isLive());
        redis.resume();
        measure("a thawed server is shown", page::isLive);
        await("locks again", 60, () -> locks() > 0);
    }

    private void measure(String what, BooleanSupplier truth) {
        long began = System.nanoTime();
        await(what, 60, truth);
        double seconds = (System.nanoTime() - began) / 1e9;
        log(String.format(Locale.ROOT, "%-50s %.2f s", what, seconds));
        if (seconds > LIMIT_SECONDS) {
            failures.add(what + " after " + seconds + " s");
        }
    }

    private static void await(String what, int seconds, BooleanSupplier truth) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!truth.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("did not happen within " + seconds + " s: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private void log(String line) {
        System.out.println(line);
    }

    private int locks() {
        JsonObject seen = Fixture.get(api, "api/locks", "prefix", "soak:", "limit", "0");
        return seen.get("matched").getAsInt();
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                SoakWorker.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        processes.add(process);
        return process;
    }

    @Override
    public void close() {
        page.close();
        processes.forEach(Process::destroyForcibly);
        api.close();
        events.close();
        client.close();
        redis.close();
    }
}
