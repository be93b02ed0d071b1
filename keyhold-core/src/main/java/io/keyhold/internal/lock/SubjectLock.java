package io.keyhold.internal.lock;

import io.keyhold.DistributedLock;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LockMode;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A lock on its subject: one key, one side of a read/write lock, or several keys. */
public final class SubjectLock extends LeaseSource implements DistributedLock {

    private final ClientContext client;
    private final Supplier<Subject> forThisThread;
    private final LockOptions given;

    SubjectLock(ClientContext client, Subject subject, Supplier<Subject> forThisThread, LockOptions options) {
        super(client.engine(), subject, client.named().of(Preconditions.given(options, "options")));
        this.client = client;
        this.forThisThread = forThisThread;
        this.given = options;
    }

    /** Creates the lock. */
    public SubjectLock(ClientContext client, Subject subject, LockOptions options) {
        this(client, subject, () -> subject, options);
    }

    /** Creates several locks, in the order in which they are taken. A thread that holds them holds each of them. */
    public static SubjectLock allOf(ClientContext client, List<LockKey> keys, LockOptions options) {
        Subject all = new Subject(
                keys.stream().map(LockKey::name).collect(Collectors.joining(", ")),
                "locks " + keys.stream().map(LockKey::toString).collect(Collectors.joining(", ")),
                new Claim.Locks(keys.stream().map(LockKey::stored).toList(), List.of()),
                keys.stream()
                        .map(key -> new Subject.Held(Subject.Kind.LOCK, key))
                        .toList());
        return new SubjectLock(client, all, options);
    }

    @Override
    Subject forThisThread() {
        return forThisThread.get();
    }

    @Override
    public String key() {
        return subject.name();
    }

    @Override
    public LockOptions options() {
        return holding;
    }

    @Override
    public DistributedLock with(UnaryOperator<LockOptions.Builder> change) {
        LockOptions.Builder changed = Preconditions.given(change, "change").apply(given.toBuilder());
        return new SubjectLock(client, subject, forThisThread, changed.build());
    }

    /** Of several keys one that is held is enough: then they cannot be acquired together. */
    @Override
    public boolean isLocked() {
        if (subject.claim() instanceof Claim.Permits side) {
            LockMode mode = side.permits() == Limit.READ_WRITE ? LockMode.EXCLUSIVE : LockMode.SHARED;
            return engine.lookAtPermits(side.key()).stream()
                    .flatMap(seen -> seen.holders().stream())
                    .anyMatch(holder -> holder.mode() == mode);
        }
        return subject.claim().keys().stream().anyMatch(key -> engine.look(key).isHeld());
    }

    @Override
    public Lock asLock() {
        return new ThreadOwnedLock(this, client.threadHolds(), subject);
    }
}
