package io.keyhold.console;

import io.keyhold.KeyholdListener;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes the end of each hold to a stream of limited length on a Redis server, from which the console makes an exact history: without it, a hold
 * that is shorter than the time between two samples is not seen.
 *
 * <pre>{@code
 * EventStreamListener events = EventStreamListener.to(JedisDriver.open(RedisUri.parse("redis://localhost:6379")));
 * Keyhold keyhold = Keyhold.builder().uri("redis://localhost:6379").listener(events).build();
 * }</pre>
 *
 * <p>Events are collected for up to 100 ms and written by a thread of its own, up to 64 of them in one command. No call of the client waits for
 * it: if more than 10,000 events wait to be written, or the server does not take them, further ones are {@linkplain #dropped() dropped}.
 * The stream may be on any single server, also if the locks are in a cluster or on a quorum. Close it after the client.
 */
public final class EventStreamListener implements KeyholdListener, AutoCloseable {

    /** The key of the stream. */
    public static final String DEFAULT_KEY = "keyhold:kh:events";

    /** About how many entries the stream keeps, each of up to 64 events. */
    static final int ENTRIES = 2_000;

    static final int EVENTS_IN_AN_ENTRY = 64;
    static final int MOST_WAITING = 10_000;
    private static final int MOST_GRANTS = 100_000;
    private static final long COLLECT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long BACK_OFF_MILLIS = 1_000;
    private static final long CLOSE_MILLIS = 2_000;
    private static final Duration EXPIRY = Duration.ofHours(24);
    private static final long EXPIRY_SET_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final System.Logger LOG = System.getLogger("io.keyhold.console");

    private final RedisDriver driver;
    private final String key;
    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Map<Long, Long> waits = new ConcurrentHashMap<>();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final Thread writer;
    private volatile boolean closed;
    private boolean warned;
    private long expirySet = System.nanoTime() - EXPIRY_SET_NANOS;

    private EventStreamListener(RedisDriver driver, String key) {
        this.driver = driver;
        this.key = key;
        this.writer = new Thread(this::run, "keyhold-event-stream");
        writer.setDaemon(true);
        writer.start();
    }

    /** Returns a listener that writes to this server, and closes the driver when it is closed. */
    public static EventStreamListener to(RedisDriver driver) {
        return to(driver, DEFAULT_KEY);
    }

    /** Returns a listener that writes to this key of this server, and closes the driver when it is closed. */
    public static EventStreamListener to(RedisDriver driver, String key) {
        Objects.requireNonNull(driver, "driver must not be null");
        if (key.isEmpty()) {
            throw new IllegalArgumentException("key must not be empty");
        }
        return new EventStreamListener(driver, key);
    }

    @Override
    public void granted(Granted event) {
        if (waits.size() < MOST_GRANTS) {
            waits.put(event.request().id(), event.waited().toMillis());
        }
    }

    @Override
    public void ended(Ended event) {
        Long waited = waits.remove(event.request().id());
        long held = event.held().toMillis();
        long at = System.currentTimeMillis() - held;
        for (String each : event.request().keys()) {
            HoldEvent hold = new HoldEvent(
                    each,
                    event.token(),
                    event.fencingToken(),
                    at,
                    waited == null ? 0 : waited,
                    held,
                    HoldEvent.endOf(event.end()));
            if (closed || !waiting.offer(hold.text())) {
                dropped.incrementAndGet();
            }
        }
    }

    /** Returns how many events were not written. */
    public long dropped() {
        return dropped.get();
    }

    /** Returns how many events were written. */
    public long written() {
        return written.get();
    }

    private void run() {
        try {
            while (true) {
                List<String> batch = batch();
                if (!batch.isEmpty()) {
                    write(batch);
                } else if (closed) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            // Closed, and the server does not reply.
            dropped.addAndGet(waiting.size());
        }
    }

    /** Waits for an event, and collects those that follow. */
    private List<String> batch() throws InterruptedException {
        List<String> batch = new ArrayList<>();
        String next = waiting.poll(closed ? 0 : COLLECT_NANOS, TimeUnit.NANOSECONDS);
        long end = System.nanoTime() + COLLECT_NANOS;
        while (next != null) {
            batch.add(next);
            long left = closed ? 0 : end - System.nanoTime();
            next = batch.size() == EVENTS_IN_AN_ENTRY ? null : waiting.poll(Math.max(left, 0), TimeUnit.NANOSECONDS);
        }
        return batch;
    }

    private void write(List<String> batch) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(key, "MAXLEN", "~", Integer.toString(ENTRIES), "*"));
        batch.forEach(event -> {
            arguments.add("e");
            arguments.add(event);
        });
        try {
            call("XADD", arguments);
            if (System.nanoTime() - expirySet >= EXPIRY_SET_NANOS) {
                call("EXPIRE", List.of(key, Long.toString(EXPIRY.toSeconds())));
                expirySet = System.nanoTime();
            }
            written.addAndGet(batch.size());
        } catch (CompletionException e) {
            dropped.addAndGet(batch.size());
            LOG.log(
                    warned ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                    "events for the console are dropped, because they cannot be written to " + driver.address(),
                    e.getCause());
            warned = true;
            if (!closed) {
                Thread.sleep(BACK_OFF_MILLIS);
            }
        }
    }

    private void call(String command, List<String> arguments) {
        driver.call(RedisCall.of(command, arguments.toArray(String[]::new)), CallMode.BLOCKING)
                .toCompletableFuture()
                .join();
    }

    /** Writes what is waiting, for up to two seconds, and closes the driver. */
    @Override
    public void close() {
        closed = true;
        try {
            writer.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        writer.interrupt();
        driver.close();
    }
}
