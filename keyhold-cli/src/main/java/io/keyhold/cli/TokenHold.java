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

/** A hold that is known by its token alone, from an earlier call of the command: what kind of lock it is, the server tells. */
final class TokenHold {

    private final Keyhold keyhold;
    private final List<String> keys;
    private final String token;

    TokenHold(Keyhold keyhold, List<String> keys, String token) {
        this.keyhold = keyhold;
        this.keys = keys;
        this.token = token;
    }

    /**
     * Makes it last for so long from now.
     *
     * @return its fencing token
     * @throws LeaseLostException if the token holds nothing any more
     */
    long renew(Duration lease) {
        Lease adopted = adopt(lease);
        long fence = adopted.fencingToken();
        adopted.handOff();
        return fence;
    }

    private Lease adopt(Duration lease) {
        LockOptions options = LockOptions.builder().lease(lease).build();
        LockSnapshot found = found();
        if (found.kind() == LockKind.SEMAPHORE) {
            return semaphore(found, lease).adopt(token);
        }
        if (found.kind() == LockKind.READ_WRITE) {
            DistributedReadWriteLock both = keyhold.readWriteLock(found.key(), options);
            try {
                return both.readLock().adopt(token);
            } catch (LeaseLostException notThatSide) {
                return both.writeLock().adopt(token);
            }
        }
        return lock(options).adopt(token);
    }

    /** Releases it, and answers whether the token held it until now. */
    boolean release() {
        LockSnapshot found = found();
        if (found.kind() == LockKind.SEMAPHORE) {
            return semaphore(found, LockOptions.DEFAULT_LEASE).release(token);
        }
        if (found.kind() == LockKind.READ_WRITE) {
            DistributedReadWriteLock both = keyhold.readWriteLock(found.key());
            return both.readLock().release(token) || both.writeLock().release(token);
        }
        return lock(LockOptions.defaults()).release(token);
    }

    private LockSnapshot found() {
        LockSnapshot first = keyhold.inspect().lock(keys.get(0));
        if (keys.size() > 1 && first.kind() != LockKind.LOCK) {
            throw new CliException(
                    ExitCode.USAGE, "'" + first.key() + "' is not a lock, and only locks are held several at a time");
        }
        return first;
    }

    private DistributedLock lock(LockOptions options) {
        return keys.size() > 1 ? keyhold.allOf(keys, options) : keyhold.lock(keys.get(0), options);
    }

    private DistributedSemaphore semaphore(LockSnapshot found, Duration lease) {
        SemaphoreOptions options = SemaphoreOptions.builder()
                .permits(Math.max(1, found.permits()))
                .joinExisting()
                .lease(lease)
                .build();
        return keyhold.semaphore(found.key(), options);
    }
}
