package io.keyhold.cli;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedReadWriteLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import java.time.Duration;
import java.util.List;

/** A hold of an earlier call of the command, known by its token. The server has the kind of the lock. */
final class HoldByToken {

    private final Keyhold keyhold;
    private final List<String> keys;
    private final String token;

    HoldByToken(Keyhold keyhold, List<String> keys, String token) {
        this.keyhold = keyhold;
        this.keys = keys;
        this.token = token;
    }

    /**
     * Extends the lease to this length, from now on.
     *
     * @return its fencing token
     * @throws LeaseLostException if the token does not hold the lock any more
     */
    long renew(Duration lease) {
        Lease adopted = adopt(lease);
        long fence = adopted.fencingToken();
        adopted.handOff();
        return fence;
    }

    private Lease adopt(Duration lease) {
        LockOptions options = LockOptions.builder().lease(lease).build();
        LockSnapshot snapshot = snapshot();
        if (snapshot.kind() == LockKind.SEMAPHORE) {
            return semaphore(snapshot, lease).adopt(token);
        }
        if (snapshot.kind() == LockKind.READ_WRITE) {
            DistributedReadWriteLock both = keyhold.readWriteLock(snapshot.key(), options);
            try {
                return both.readLock().adopt(token);
            } catch (LeaseLostException notTheReadSide) {
                return both.writeLock().adopt(token);
            }
        }
        return lock(options).adopt(token);
    }

    /** Releases the lock; returns whether the token held it. */
    boolean release() {
        LockSnapshot snapshot = snapshot();
        if (snapshot.kind() == LockKind.SEMAPHORE) {
            return semaphore(snapshot, LockOptions.DEFAULT_LEASE).release(token);
        }
        if (snapshot.kind() == LockKind.READ_WRITE) {
            DistributedReadWriteLock both = keyhold.readWriteLock(snapshot.key());
            return both.readLock().release(token) || both.writeLock().release(token);
        }
        return lock(LockOptions.defaults()).release(token);
    }

    private LockSnapshot snapshot() {
        LockSnapshot first = keyhold.inspect().lock(keys.get(0));
        if (keys.size() > 1 && first.kind() != LockKind.LOCK) {
            throw new CliException(
                    ExitCode.USAGE,
                    "'" + first.key() + "' is not a lock; only locks can be released or renewed several at a time");
        }
        return first;
    }

    private DistributedLock lock(LockOptions options) {
        return keys.size() > 1 ? keyhold.allOf(keys, options) : keyhold.lock(keys.get(0), options);
    }

    private DistributedSemaphore semaphore(LockSnapshot snapshot, Duration lease) {
        SemaphoreOptions options = SemaphoreOptions.builder()
                .permits(Math.max(1, snapshot.permits()))
                .joinExisting()
                .lease(lease)
                .build();
        return keyhold.semaphore(snapshot.key(), options);
    }
}
