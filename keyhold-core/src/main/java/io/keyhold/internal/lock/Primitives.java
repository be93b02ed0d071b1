package io.keyhold.internal.lock;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedReadWriteLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.Operations;
import java.util.List;

/** Makes what a client hands out; all of it shares which thread holds what. */
public final class Primitives {

    private final Operations operations;
    private final ThreadHolds threadHolds = new ThreadHolds();

    /** On this engine. */
    public Primitives(Operations operations) {
        this.operations = operations;
    }

    /** One key's lock. */
    public DistributedLock lock(LockKey key, LockOptions options) {
        return new SubjectLock(operations, threadHolds, new Mutex(key), options);
    }

    /** Several keys' locks as one. */
    public DistributedLock allOf(List<LockKey> keys, LockOptions options) {
        return new SubjectLock(operations, threadHolds, new AllOf(keys), options);
    }

    /** A read/write lock. */
    public DistributedReadWriteLock readWriteLock(LockKey key, LockOptions options) {
        return new ReadWriteLock(operations, threadHolds, key, options);
    }

    /** A semaphore. */
    public DistributedSemaphore semaphore(LockKey key, SemaphoreOptions options) {
        return new Semaphore(operations, key, options);
    }
}
