package io.keyhold.tests.stress;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.tests.Setup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;

/** Checks after a run that everything can be acquired again at once, and that no holder or waiter is left. */
final class FinalStateCheck {

    private final ChaosKind kind;
    private final String uri;
    private final Jedis redis;
    private final List<String> findings = new ArrayList<>();

    FinalStateCheck(ChaosKind kind, String uri, Jedis redis) {
        this.kind = kind;
        this.uri = uri;
        this.redis = redis;
    }

    List<String> findings() {
        try (Keyhold keyhold = Setup.JEDIS_SCRIPTS.client(uri).build()) {
            for (String key : kind.keys()) {
                switch (kind) {
                    case LOCKS, QUORUM -> take(key, keyhold.lock(key));
                    case ALL_OF -> take(key, keyhold.allOf(kind.keys().toArray(String[]::new)));
                    case SEMAPHORE -> takeAllPermits(key, keyhold.semaphore(key, SemaphoreWorkload.PERMITS));
                    case READ_WRITE -> {
                        take(key, keyhold.readWriteLock(key).readLock());
                        take(key, keyhold.readWriteLock(key).writeLock());
                        expectNoTrace(key);
                    }
                }
            }
        }
        return findings;
    }

    private void takeAllPermits(String key, DistributedSemaphore semaphore) {
        int permits = SemaphoreWorkload.PERMITS;
        expect(key + ": free permits", permits, semaphore.availablePermits());
        Optional<Lease> all = semaphore.tryAcquire(permits);
        expect(key + ": all permits acquired", true, all.isPresent());
        expect(key + ": free permits when all are held", 0, semaphore.availablePermits());
        expect(key + ": released", true, all.isPresent() && all.get().release());
        expect(key + ": free permits after that", permits, semaphore.availablePermits());
        expectNoTrace(key);
    }

    private void take(String key, DistributedLock lock) {
        Optional<Lease> lease = lock.tryAcquire();
        expect(key + ": acquired", true, lease.isPresent());
        expect(key + ": released", true, lease.isPresent() && lease.get().release());
        expect(key + ": locked after that", false, lock.isLocked());
    }

    /** Checks that there is no holder and no waiter, and of the state only its numbers. */
    private void expectNoTrace(String key) {
        expect(key + ": is held", false, redis.exists(key));
        expect(key + ": has waiters", false, redis.exists("{" + key + "}:kh:waiters"));
        Map<String, String> state = new TreeMap<>(redis.hgetAll("{" + key + "}:kh:permits"));
        String used = kind == ChaosKind.READ_WRITE ? "" : "0"; // A read/write lock has no state when it is free.
        expect(key + ": permits in use", used, state.getOrDefault("used", ""));
        state.keySet().removeIf(field -> !field.startsWith(":"));
        expect(key + ": holders in the state", Map.of(), state);
    }

    private void expect(String what, Object expected, @Nullable Object found) {
        if (!expected.equals(found)) {
            findings.add(what + ": " + found + " and not " + expected);
        }
    }
}
