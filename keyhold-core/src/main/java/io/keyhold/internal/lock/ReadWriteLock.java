package io.keyhold.internal.lock;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedReadWriteLock;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.WaitPlan;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Many readers or one writer. */
final class ReadWriteLock implements DistributedReadWriteLock {

    private final Operations operations;
    private final ThreadHolds threadHolds;
    private final LockKey key;
    private final LockOptions options;

    ReadWriteLock(Operations operations, ThreadHolds threadHolds, LockKey key, LockOptions options) {
        this.operations = operations;
        this.threadHolds = threadHolds;
        this.key = key;
        this.options = Preconditions.given(options, "options");
    }

    @Override
    public String key() {
        return key.name();
    }

    @Override
    public LockOptions options() {
        return options;
    }

    @Override
    public DistributedReadWriteLock with(UnaryOperator<LockOptions.Builder> change) {
        LockOptions.Builder changed = Preconditions.given(change, "change").apply(options.toBuilder());
        return new ReadWriteLock(operations, threadHolds, key, changed.build());
    }

    @Override
    public DistributedLock readLock() {
        return side(ReadWriteSide.READ);
    }

    @Override
    public DistributedLock writeLock() {
        return side(ReadWriteSide.WRITE);
    }

    private DistributedLock side(ReadWriteSide side) {
        return new SubjectLock(operations, threadHolds, side.of(key, operations), options);
    }

    @Override
    public Lease downgrade(Lease writeLease) {
        Preconditions.given(writeLease, "writeLease");
        Operations.checkHeld(writeLease, key.name());
        AcquireSpec read = new AcquireSpec(
                ReadWriteSide.READ.subject(key, Optional.of(writeLease.token())), options, WaitPlan.NONE);
        Lease lease = operations
                .tryAcquireOnce(read)
                .orElseThrow(() -> Operations.lostMeanwhile(writeLease))
                .detach();
        if (!writeLease.isHeld()) {
            // It ended on the way, and somebody may have written since: this would be a read lock like any other.
            lease.close();
            throw Operations.lostMeanwhile(writeLease);
        }
        writeLease.close();
        return lease;
    }

    @Override
    public String toString() {
        return "read/write lock " + key;
    }
}
