package io.keyhold.console;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Reads the event stream from an hour ago onwards. A stream that cannot be read is no failure of the console. Used by one thread. */
final class EventReader {

    private static final System.Logger LOG = System.getLogger("io.keyhold.console");
    private static final Duration PAST = Duration.ofHours(1);
    private static final long BACK_OFF_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int ENTRIES = 100;
    private static final int MOST_READS = 10;

    private final RedisDriver driver;
    private final String key;
    private String last;
    private long notBefore = System.nanoTime();
    private boolean warned;

    EventReader(RedisDriver driver, String key, long now) {
        this.driver = driver;
        this.key = key;
        this.last = (now - PAST.toMillis()) + "-0";
    }

    /** Returns the next events. */
    List<HoldEvent> read() {
        List<HoldEvent> events = new ArrayList<>();
        if (System.nanoTime() - notBefore < 0) {
            return events;
        }
        try {
            int reads = 0;
            int entries;
            do {
                entries = read(events);
            } while (entries == ENTRIES && ++reads < MOST_READS);
        } catch (CompletionException e) {
            notBefore = System.nanoTime() + BACK_OFF_NANOS;
            warn(Stages.unwrapped(e));
        }
        return events;
    }

    private void warn(Throwable failure) {
        // A refusal lasts, and is worth a line.
        boolean refused = failure instanceof RedisErrorException;
        LOG.log(
                refused && !warned ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
                "the event stream {0} cannot be read from {1}: {2}",
                key,
                driver.address(),
                failure.getMessage());
        warned = warned || refused;
    }

    private int read(List<HoldEvent> events) {
        // XRANGE has the same reply in both protocols; that of XREAD differs.
        RedisCall call = RedisCall.of("XRANGE", key, "(" + last, "+", "COUNT", Integer.toString(ENTRIES));
        @Nullable
        Object reply =
                driver.call(call, CallMode.BLOCKING).toCompletableFuture().join();
        List<?> entries = reply instanceof List<?> list ? list : List.of();
        for (Object entry : entries) {
            if (entry instanceof List<?> pair && pair.size() == 2) {
                last = String.valueOf(pair.get(0));
                addFields(pair.get(1), events);
            }
        }
        return entries.size();
    }

    private static void addFields(@Nullable Object fields, List<HoldEvent> events) {
        if (fields instanceof List<?> list) {
            for (int i = 1; i < list.size(); i += 2) {
                HoldEvent.read(String.valueOf(list.get(i))).ifPresent(events::add);
            }
        }
    }
}
