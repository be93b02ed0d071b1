package io.keyhold.internal.lock;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedReadWriteLock;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Engine;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Many readers or one writer: a semaphore with a great many permits, of which a reader takes one and a writer all. */
public final class ReadWriteLock implements DistributedReadWriteLock {

    private final ClientContext client;
    private final Engine engine;
    private final LockKey key;
    private final LockOptions given;
    private final LockOptions options;

    /** Creates the lock. */
    public ReadWriteLock(ClientContext client, LockKey key, LockOptions options) {
        this.client = client;
        this.engine = client.engine();
        this.key = key;
        this.given = Preconditions.given(options, "options");
        this.options = client.named().of(options);
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
        LockOptions.Builder changed = Preconditions.given(change, "change").apply(given.toBuilder());
        return new ReadWriteLock(client, key, changed.build());
    }

    @Override
    public DistributedLock readLock() {
        Subject read = read(Optional.empty());
        // A thread that writes may read beside that.
        Supplier<Subject> forThisThread = () -> engine.heldHere(new Subject.Held(Subject.Kind.WRITE, key))
                .map(token -> read(Optional.of(token)))
                .orElse(read);
        return new SubjectLock(client, read, forThisThread, given);
    }

    @Override
    public DistributedLock writeLock() {
        return new SubjectLock(client, write(), given);
    }

    /** Returns the subject of a reader, whose permit does not count against the hold with the token {@code beside}. */
    private Subject read(Optional<String> beside) {
        return Subject.of(Subject.Kind.READ, key, new Claim.Permits(key.stored(), 1, Limit.readWrite(), beside));
    }

    /** Returns the subject of a writer. */
    private Subject write() {
        Claim claim = Claim.Permits.of(key.stored(), Limit.READ_WRITE, Limit.readWrite());
        return Subject.of(Subject.Kind.WRITE, key, claim);
    }

    @Override
    public Lease downgrade(Lease writeLease) {
        HeldLease write = engine.ownHold(Preconditions.given(writeLease, "writeLease"), write());
        AcquireSpec read = new AcquireSpec(read(Optional.of(write.storedToken())), options, WaitPlan.NONE);
        HeldLease lease = engine.tryAcquireForNoThread(read).orElseThrow(write::lostException);
        if (!write.isHeld()) {
            // It ended meanwhile, and another client may have written since: this would be a read lock like any other.
            lease.releaseQuietly();
            throw write.lostException();
        }
        write.releaseQuietly();
        if (write.loss().isPresent()) {
            // It ended before the read lock was granted, which was no part of it then: another client may have written.
            lease.releaseQuietly();
            throw write.lostException();
        }
        return lease;
    }

    @Override
    public String toString() {
        return "read/write lock " + key;
    }
}
