package io.keyhold.console;

import io.keyhold.console.internal.JsonText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tells the connected pages once a second, and at once when the server goes or comes back, to look again. */
final class Ticks implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.keyhold.console");
    static final int MOST_PAGES = 16;
    private static final long CHECK_MILLIS = 200;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(950);

    private final Sampler sampler;
    private final LongSupplier dangers;
    private final Runnable onChange;
    /** By an object of their own: two pages may be equal. */
    private final Map<Object, Consumer<String>> pages = new ConcurrentHashMap<>();

    private final ScheduledExecutorService timer;

    // Of the timer's thread.
    private long version;
    private long lastTick = System.nanoTime() - TICK_NANOS;
    private boolean lastOk = true;

    Ticks(Sampler sampler, LongSupplier dangers, Runnable onChange) {
        this.sampler = sampler;
        this.dangers = dangers;
        this.onChange = onChange;
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "keyhold-console-ticks");
            thread.setDaemon(true);
            return thread;
        });
        timer.scheduleWithFixedDelay(this::guardedCheck, CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Returns empty if too many pages are connected. The page must not block. */
    synchronized Optional<ConsoleSubscription> subscribe(Consumer<String> page) {
        if (pages.size() >= MOST_PAGES || timer.isShutdown()) {
            return Optional.empty();
        }
        Object id = new Object();
        pages.put(id, page);
        sampler.want();
        page.accept(tick(sampler.status()));
        return Optional.of(() -> pages.remove(id));
    }

    int pages() {
        return pages.size();
    }

    /** An exception or an error would end the schedule. */
    private void guardedCheck() {
        try {
            check();
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.WARNING, "a tick failed", e);
        }
    }

    private void check() {
        if (pages.isEmpty()) {
            return;
        }
        sampler.want();
        Sampler.Status status = sampler.status();
        boolean changed = status.isOk() != lastOk;
        if (changed) {
            onChange.run();
        }
        if (changed || System.nanoTime() - lastTick >= TICK_NANOS) {
            lastOk = status.isOk();
            lastTick = System.nanoTime();
            version++;
            String tick = tick(status);
            pages.values().forEach(page -> page.accept(tick));
        }
    }

    private String tick(Sampler.Status status) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("version", version);
        object.put("at", System.currentTimeMillis());
        object.put("status", status.isOk() ? "ok" : "unreachable");
        object.put("error", status.error());
        object.put("dangers", dangers.getAsLong());
        return "event: tick\ndata: " + JsonText.of(object) + "\n\n";
    }

    @Override
    public synchronized void close() {
        timer.shutdownNow();
        pages.values().forEach(page -> page.accept("event: bye\ndata: {}\n\n"));
        pages.clear();
    }
}
