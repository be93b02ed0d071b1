package io.keyhold.tests.stress;

import io.keyhold.tests.FencingCounter;
import java.util.List;
import java.util.function.Supplier;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;

/**
 * What the monitor sees of one key, in one transaction; to be asked after that.
 *
 * @param free whether anybody who waits could be served
 * @param lastGrant changes with each grant; empty if there was none
 * @param endless whether something had no expiry
 */
record Sighting(Supplier<Boolean> free, Supplier<String> lastGrant, Supplier<Boolean> endless, Supplier<Long> queued) {

    private static final String PERMITS = GuardedCounter.script("sight.lua");

    static Sighting ofLock(Transaction transaction, String key) {
        Response<Boolean> locked = transaction.exists(key);
        Response<Long> pttl = transaction.pttl(key);
        Response<String> grant = transaction.get(FencingCounter.of(key));
        Response<Long> queued = transaction.llen("{" + key + "}:kh:queue");
        return new Sighting(
                () -> !locked.get(), () -> grant.get() == null ? "" : grant.get(), () -> pttl.get() == -1, queued);
    }

    static Sighting ofSemaphore(Transaction transaction, String key) {
        return ofPermits(transaction, key, SemaphoreContest.PERMITS - SemaphoreContest.MOST);
    }

    static Sighting ofReadWriteLock(Transaction transaction, String key) {
        return ofPermits(transaction, key, 0);
    }

    /** While no more than so many are held there is enough for whoever is first in line. */
    private static Sighting ofPermits(Transaction transaction, String key, int enoughLeft) {
        List<String> keys =
                List.of(key, "{" + key + "}:kh:permits", "{" + key + "}:kh:waiters", FencingCounter.of(key));
        Response<Object> seen = transaction.eval(PERMITS, keys, List.of());
        Supplier<List<?>> parts = () -> (List<?>) seen.get();
        return new Sighting(
                () -> (Long) parts.get().get(0) <= enoughLeft,
                () -> (String) parts.get().get(1),
                () -> (Long) parts.get().get(2) == 1,
                () -> (Long) parts.get().get(3));
    }
}
