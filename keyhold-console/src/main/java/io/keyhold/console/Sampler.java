package io.keyhold.console;

import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockPage;
import io.keyhold.inspect.LockSnapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all locks again and again, on one thread and one part of the listing after the other, while a page is connected and for a short
 * time afterwards. A sample that takes long is followed by a pause of four times its length, in which only a short command checks
 * that the server replies: the console never takes more than a fifth of one connection's time.
 */
final class Sampler implements AutoCloseable {

    static final int MOST_LOCKS = History.MOST_KEYS;
    static final Duration TAIL = Duration.ofSeconds(15);
    private static final long OVERDUE_NANOS = TimeUnit.MILLISECONDS.toNanos(900);
    private static final int PAUSE_FACTOR = 4;
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long CLOSE_MILLIS = 5_000;

    /** No lock has this name; the pattern only makes the server reply. */
    private static final String PROBE = "keyhold:console:probe";

    /**
     * What was seen last.
     *
     * @param number counts samples
     * @param at when it was complete
     * @param locks by key
     * @param limitReached whether there are more locks than the console shows
     * @param scanMillis how long it took
     */
    record Sample(long number, long at, SortedMap<String, LockSnapshot> locks, boolean limitReached, long scanMillis) {}

    /**
     * Whether the server replies.
     *
     * @param known whether it was asked at all
     * @param error why it does not; null if it does
     */
    record Status(boolean known, @Nullable String error) {

        boolean isOk() {
            return error == null;
        }
    }

    private final LockInspector inspector;
    private final History history;
    private final Optional<EventReader> events;
    private final long intervalNanos;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private long wantedUntil = System.nanoTime();
    private boolean hurry;
    private boolean closed;
    private @Nullable Long callBegan;
    private Status status = new Status(false, null);
    private Sample sample = new Sample(0, System.currentTimeMillis(), new TreeMap<>(), false, 0);
    /** Counts the attempts to take a sample, failed ones included. */
    private long attempts;

    // Of the thread.
    private long dueAt = System.nanoTime();
    /** How long the server worked for the sample: without calls that were overdue, in which it stood still. */
    private long worked;

    Sampler(LockInspector inspector, History history, Optional<EventReader> events, Duration interval) {
        this.inspector = inspector;
        this.history = history;
        this.events = events;
        this.intervalNanos = interval.toNanos();
        this.thread = new Thread(this::run, "keyhold-console-sampler");
        thread.setDaemon(true);
        thread.start();
    }

    /** Keeps the sampler going for a while. */
    void want() {
        change(() -> wantedUntil = System.nanoTime() + TAIL.toNanos());
    }

    /** Takes the next sample at once. */
    void hurry() {
        change(() -> hurry = true);
    }

    /** Returns the last sample. If the sampler was idle, waits for the next attempt to take one. */
    Sample current(Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean idle = wantedUntil < System.nanoTime();
            wantedUntil = System.nanoTime() + TAIL.toNanos();
            changed.signalAll();
            long before = attempts;
            long left = timeout.toNanos();
            while ((idle || sample.number() == 0) && attempts == before && left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
            return sample;
        } finally {
            lock.unlock();
        }
    }

    Sample last() {
        return guarded(() -> sample);
    }

    /** Returns whether the server replies. A call without a reply counts as none after a while, long before its own timeout. */
    Status status() {
        return guarded(() -> {
            long took = callBegan == null ? 0 : System.nanoTime() - callBegan;
            return status.isOk() && took > OVERDUE_NANOS
                    ? new Status(true, "the server has not replied for " + TimeUnit.NANOSECONDS.toMillis(took) + " ms")
                    : status;
        });
    }

    private void run() {
        try {
            while (awaitWanted()) {
                step();
                pause();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns false when closed. */
    private boolean awaitWanted() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (wantedUntil < System.nanoTime() && !closed) {
                history.gap();
                while (wantedUntil < System.nanoTime() && !closed) {
                    changed.await();
                }
                dueAt = System.nanoTime();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void pause() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = intervalNanos;
            while (left > 0 && !hurry && !closed) {
                left = changed.awaitNanos(left);
            }
            if (hurry) {
                hurry = false;
                dueAt = System.nanoTime();
            }
        } finally {
            lock.unlock();
        }
    }

    private void step() {
        try {
            if (System.nanoTime() - dueAt >= 0) {
                takeSample();
            } else {
                page(PROBE, Optional.empty());
            }
            events.ifPresent(reader -> history.report(reader.read(), System.currentTimeMillis()));
            change(() -> status = new Status(true, null));
        } catch (
                Throwable
                        failure) { // Whatever it is, such as too little memory: the page shows it, and the next sample
            // is tried.
            history.gap();
            change(() -> {
                status = new Status(true, String.valueOf(failure.getMessage()));
                attempts++;
            });
        }
    }

    private void takeSample() {
        long began = System.nanoTime();
        worked = 0;
        SortedMap<String, LockSnapshot> found = new TreeMap<>();
        Optional<String> cursor = Optional.empty();
        do {
            LockPage page = page("*", cursor);
            page.locks().forEach(each -> found.put(each.key(), each));
            cursor = page.next();
        } while (cursor.isPresent() && found.size() < MOST_LOCKS && !guarded(() -> closed));
        long took = System.nanoTime() - began;
        dueAt = System.nanoTime() + Math.min(PAUSE_FACTOR * worked, LONGEST_PAUSE_NANOS) - intervalNanos;
        long at = System.currentTimeMillis();
        history.sample(found.values(), at, cursor.isEmpty());
        boolean limitReached = cursor.isPresent();
        change(() -> {
            sample = new Sample(sample.number() + 1, at, found, limitReached, TimeUnit.NANOSECONDS.toMillis(took));
            attempts++;
        });
    }

    private LockPage page(String pattern, Optional<String> cursor) {
        long began = System.nanoTime();
        change(() -> callBegan = began);
        try {
            return inspector.page(pattern, cursor);
        } finally {
            long took = System.nanoTime() - began;
            worked += took > OVERDUE_NANOS ? 0 : took;
            change(() -> callBegan = null);
        }
    }

    private void change(Runnable change) {
        guarded(() -> {
            change.run();
            changed.signalAll();
            return true;
        });
    }

    private <T> T guarded(Supplier<T> reading) {
        lock.lock();
        try {
            return reading.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        change(() -> closed = true);
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
