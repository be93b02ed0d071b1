package io.keyhold.console;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Measures what {@link EventStreamListener} costs; {@code main SECONDS} prints a table. The figures in docs/console.md are from it. */
public final class EventCost {

    private EventCost() {}

    public static void main(String... arguments) throws InterruptedException {
        long seconds = Long.parseLong(arguments[0]);
        System.out.println(
                "| shape | events | holds/s | commands per hold | server CPU per hold | client CPU per hold |");
        for (int threads : List.of(1, 8)) {
            // The first run warms up.
            run(threads, false, seconds);
            for (int i = 0; i < 2; i++) {
                System.out.println(run(threads, false, seconds));
                System.out.println(run(threads, true, seconds));
            }
        }
    }

    private static String run(int threads, boolean events, long seconds) throws InterruptedException {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                RedisDriver driver = JedisDriver.open(RedisUri.parse(redis.uri()))) {
            EventStreamListener listener = EventStreamListener.to(JedisDriver.open(RedisUri.parse(redis.uri())));
            KeyholdBuilder builder = Keyhold.builder().uri(redis.uri());
            AtomicLong holds = new AtomicLong();
            try (Keyhold client = (events ? builder.listener(listener) : builder).build()) {
                client.lock("warm").run(() -> {});
                Map<String, Double> before = info(driver);
                long cpu = clientCpu();
                contend(client, threads, seconds, holds);
                double client1 = (clientCpu() - cpu) / 1e3 / holds.get();
                Map<String, Double> after = info(driver);
                double commands = difference(before, after, "total_commands_processed") / holds.get();
                double server = 1e6
                        * (difference(before, after, "used_cpu_user") + difference(before, after, "used_cpu_sys"))
                        / holds.get();
                return String.format(
                        Locale.ROOT,
                        "| %d threads, one key | %s | %d | %.3f | %.1f µs | %.1f µs | written %d dropped %d",
                        threads,
                        events ? "on" : "off",
                        holds.get() / seconds,
                        commands,
                        server,
                        client1,
                        listener.written(),
                        listener.dropped());
            } finally {
                listener.close();
            }
        }
    }

    private static void contend(Keyhold client, int threads, long seconds, AtomicLong holds)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                try {
                    while (System.nanoTime() - end < 0) {
                        client.lock("contended").run(() -> {});
                        holds.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    private static long clientCpu() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElse(0L);
    }

    private static double difference(Map<String, Double> before, Map<String, Double> after, String field) {
        return after.getOrDefault(field, 0.0) - before.getOrDefault(field, 0.0);
    }

    private static Map<String, Double> info(RedisDriver driver) {
        Object reply = driver.call(RedisCall.of("INFO"), CallMode.BLOCKING)
                .toCompletableFuture()
                .join();
        return String.valueOf(reply)
                .lines()
                .map(line -> line.split(":", 2))
                .filter(pair -> pair.length == 2 && pair[1].matches("[0-9.]+"))
                .filter(pair -> pair[0].matches("total_commands_processed|used_cpu_user|used_cpu_sys"))
                .collect(Collectors.toMap(pair -> pair[0], pair -> Double.parseDouble(pair[1])));
    }
}
