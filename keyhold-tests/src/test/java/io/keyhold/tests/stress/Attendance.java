package io.keyhold.tests.stress;

import io.keyhold.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Who is inside, by the holders' own account, in a list that the server keeps and adds up whenever somebody enters.
 *
 * <p>The list needs nobody to be alive, in time or lucky. A holder is in it from when it says so until it leaves, which it
 * does before it releases, or until the end that it named; and that end is no later than its lease's. For the server is
 * asked for its time first, and then the lease for how long it remains: when that has passed here, the server's clock is at
 * least that far beyond what it answered. Nobody is listed, then, who is not inside by the promise of its lease, however it
 * was cut off, stopped or killed.
 */
final class Attendance {

    private static final String ENTER = GuardedCounter.script("enter.lua");
    private static final String ORDER = GuardedCounter.script("order.lua");

    private final GuardedCounter counter;
    private final String who;
    private final int limit;
    private long holds;

    /** Of one thread. */
    Attendance(GuardedCounter counter, String who, int limit) {
        this.counter = counter;
        this.who = who;
        this.limit = limit;
    }

    /**
     * What came of saying that one is inside.
     *
     * @param counted whether the lease was sure to be held then
     * @param version how many have been inside alone
     */
    record Entry(boolean counted, long version) {}

    /** What is known of a key: {@code entries}, {@code version}, {@code most} permits, {@code together} so many sharers. */
    static String book(String key) {
        return GuardedCounter.PREFIX + "book:" + key;
    }

    /** Enters, stays, says once more that it is inside, and leaves. The lease is not released here. */
    Entry attend(Lease lease, int permits, long holdMillis) throws InterruptedException {
        String hold = who + "#" + ++holds;
        Entry first = enter(lease, hold, permits);
        try {
            TimeUnit.MILLISECONDS.sleep(holdMillis);
            Entry second = enter(lease, hold, permits);
            if (first.counted() && second.counted() && first.version() != second.version()) {
                counter.violation("somebody was alone in " + lease.key() + " while " + hold
                        + " was inside, fencing token " + lease.fencingToken());
            }
            counter.count(second.counted() ? "stayed inside" : first.counted() ? "ended inside" : "over at once");
            return second;
        } finally {
            counter.forget(inside(lease.key()), permits + " " + hold);
        }
    }

    /** Looks whether the server's own account of these keys is in order. */
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
