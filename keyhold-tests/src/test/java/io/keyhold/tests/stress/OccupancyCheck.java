package io.keyhold.tests.stress;

import io.keyhold.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Counts the current holders in a sorted set on the server, which checks the sum at every entry.
 *
 * <p>The check cannot raise a false alarm. A holder is listed from its entry until it leaves, which it does before it releases, or
 * until the end that it named; and that end is no later than the end of its lease. It reads the server's clock first, and then the
 * remaining time of the lease: when that time has passed here, the server's clock has advanced by at least as much. So every listed
 * holder is still within its lease, even if it was cut off, stopped or killed.
 */
final class OccupancyCheck {

    private static final String ENTER = GuardedCounter.script("enter.lua");
    private static final String ORDER = GuardedCounter.script("order.lua");

    private final GuardedCounter counter;
    private final String who;
    private final int limit;
    private long holds;

    /** Of one thread. */
    OccupancyCheck(GuardedCounter counter, String who, int limit) {
        this.counter = counter;
        this.who = who;
        this.limit = limit;
    }

    /**
     * The outcome of an entry.
     *
     * @param counted whether the lease was certainly held then
     * @param version how many exclusive holds there have been
     */
    record Entry(boolean counted, long version) {}

    /** What is known of a key: {@code entries}, {@code version}, {@code most} permits, {@code together}, the most sharers at a time. */
    static String book(String key) {
        return GuardedCounter.PREFIX + "book:" + key;
    }

    /** Enters, stays, enters again, and leaves. The lease is not released here. */
    Entry occupy(Lease lease, int permits, long holdMillis) throws InterruptedException {
        String hold = who + "#" + ++holds;
        Entry first = enter(lease, hold, permits);
        try {
            TimeUnit.MILLISECONDS.sleep(holdMillis);
            Entry second = enter(lease, hold, permits);
            if (first.counted() && second.counted() && first.version() != second.version()) {
                counter.violation("there was an exclusive hold of " + lease.key() + " while " + hold
                        + " was held, fencing token " + lease.fencingToken());
            }
            counter.count(second.counted() ? "stayed inside" : first.counted() ? "ended inside" : "over at once");
            return second;
        } finally {
            counter.forget(inside(lease.key()), permits + " " + hold);
        }
    }

    /** Checks that the stored state of these keys is consistent. */
    void inspect(List<String> keys) {
        List<String> all = new ArrayList<>(List.of(GuardedCounter.VIOLATIONS, GuardedCounter.PREFIX + "over"));
        keys.forEach(key -> all.addAll(List.of(key, "{" + key + "}:kh:permits", "{" + key + "}:kh:waiters")));
        counter.run(ORDER, all, List.of());
    }

    private Entry enter(Lease lease, String hold, int permits) {
        long now = counter.serverMicros();
        long ends = now + TimeUnit.NANOSECONDS.toMicros(lease.remaining().toNanos());
        List<?> reply = (List<?>) counter.run(
                ENTER,
                List.of(
                        inside(lease.key()),
                        GuardedCounter.PREFIX + "fences:" + lease.key(),
                        book(lease.key()),
                        GuardedCounter.VIOLATIONS,
                        GuardedCounter.events(lease.key())),
                List.of(
                        hold,
                        Long.toString(lease.fencingToken()),
                        Integer.toString(permits),
                        Integer.toString(limit),
                        Long.toString(ends)));
        return new Entry((Long) reply.get(0) == 1, (Long) reply.get(1));
    }

    private static String inside(String key) {
        return GuardedCounter.PREFIX + "inside:" + key;
    }
}
