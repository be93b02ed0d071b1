package io.keyhold.junit;

import io.keyhold.Keyhold;
import io.keyhold.inspect.LocalSnapshot;
import io.keyhold.inspect.LocalWaiter;
import io.keyhold.inspect.LockSnapshot;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** Assertions about what a client holds and waits for. Each waits until it is true, or fails. */
public final class KeyholdAssert {

    private static final Duration MAX_WAIT = Duration.ofDays(1);
    private static final long PAUSE_MILLIS = 2;

    private final Keyhold keyhold;
    private final Duration wait;

    KeyholdAssert(Keyhold keyhold, Duration wait) {
        this.keyhold = keyhold;
        this.wait = wait;
    }

    /**
     * Returns assertions that wait for this long.
     *
     * @param wait from 0, which looks once, to one day
     * @return the assertions
     */
    public KeyholdAssert within(Duration wait) {
        Objects.requireNonNull(wait, "wait must not be null");
        if (wait.isNegative() || wait.compareTo(MAX_WAIT) > 0) {
            throw new IllegalArgumentException("wait must be from 0 to 1 day, was " + wait);
        }
        return new KeyholdAssert(keyhold, wait);
    }

    /**
     * Asserts that this client holds the key: as a lock, a side of a read/write lock, or permits of a semaphore.
     *
     * @param key the key
     * @return these assertions
     */
    public KeyholdAssert holds(String key) {
        return check(
                () -> local(key).anyMatch(lock -> !lock.holders().isEmpty()),
                () -> "the client must hold '" + key + "', but " + description(key));
    }

    /**
     * Asserts that no client holds the key, this one or another.
     *
     * @param key the key
     * @return these assertions
     */
    public KeyholdAssert isFree(String key) {
        return check(
                () -> keyhold.inspect().lock(key).holderCount() == 0,
                () -> "'" + key + "' must be free, but " + description(key));
    }

    /**
     * Asserts that a request of this client waits for the key, because it is taken.
     *
     * @param key the key
     * @return these assertions
     */
    public KeyholdAssert waits(String key) {
        return check(
                () -> local(key).flatMap(lock -> lock.waiters().stream()).anyMatch(KeyholdAssert::isWaiting),
                () -> "the client must wait for '" + key + "', but " + description(key));
    }

    private static boolean isWaiting(LocalWaiter waiter) {
        return switch (waiter.state()) {
            case LOCAL_QUEUE, QUEUED, POLLING -> true;
            case IN_FLIGHT, OUTAGE -> false;
        };
    }

    private Stream<LocalSnapshot> local(String key) {
        Objects.requireNonNull(key, "key must not be null");
        return keyhold.inspect().local().stream().filter(lock -> lock.key().equals(key));
    }

    private String description(String key) {
        LockSnapshot lock = keyhold.inspect().lock(key);
        return "it holds and waits for " + keyhold.inspect().local() + ", and the holders of the key are "
                + lock.holders();
    }

    private KeyholdAssert check(BooleanSupplier condition, Supplier<String> failure) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start >= wait.toNanos()) {
                Assertions.fail(failure);
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                Assertions.fail("interrupted while waiting: " + failure.get());
            }
        }
        return this;
    }
}
