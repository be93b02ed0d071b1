package io.keyhold.tests.stress;

import io.keyhold.tests.FencingCounter;
import java.util.List;
import java.util.function.Supplier;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;

/**
 * A sample of one key, in one transaction; its parts can be read after that.
 *
 * @param free whether any waiter could be served
 * @param lastGrant changes with each grant; empty if there was none
 * @param endless whether something had no expiry
 */
record KeyProbe(Supplier<Boolean> free, Supplier<String> lastGrant, Supplier<Boolean> endless, Supplier<Long> queued) {

    private static final String PERMITS = GuardedCounter.script("sight.lua");

    static KeyProbe ofLock(Transaction transaction, String key) {
        Response<Boolean> locked = transaction.exists(key);
        Response<Long> pttl = transaction.pttl(key);
        Response<String> grant = transaction.get(FencingCounter.of(key));
        Response<Long> queued = transaction.llen("{" + key + "}:kh:queue");
        return new KeyProbe(
                () -> !locked.get(), () -> grant.get() == null ? "" : grant.get(), () -> pttl.get() == -1, queued);
    }

    static KeyProbe ofSemaphore(Transaction transaction, String key) {
        return ofPermits(transaction, key, SemaphoreWorkload.PERMITS - SemaphoreWorkload.MOST);
    }

    static KeyProbe ofReadWriteLock(Transaction transaction, String key) {
        return ofPermits(transaction, key, 0);
    }

    /** While no more than this many are held there is enough for the head of the queue. */
    private static KeyProbe ofPermits(Transaction transaction, String key, int enoughLeft) {
        List<String> keys =
                List.of(key, "{" + key + "}:kh:permits", "{" + key + "}:kh:waiters", FencingCounter.of(key));
        Response<Object> seen = transaction.eval(PERMITS, keys, List.of());
        Supplier<List<?>> parts = () -> (List<?>) seen.get();
        return new KeyProbe(
                () -> (Long) parts.get().get(0) <= enoughLeft,
                () -> (String) parts.get().get(1),
                () -> (Long) parts.get().get(2) == 1,
                () -> (Long) parts.get().get(3));
    }
}
