package io.keyhold.tests.stress;

import io.keyhold.DistributedReadWriteLock;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import java.time.Duration;
import java.util.Optional;

/** Read/write locks: mostly reads, some writes, and some writers that downgrade. */
final class ReadWriteWorkload implements ChaosWorkload {

    /** The most holders at a time in a chaos run: a reader counts for one, a writer for all. */
    static final int READERS = 1000;

    private final ChaosKind kind;
    private final WorkerContext context;
    private final OccupancyCheck occupancy;

    ReadWriteWorkload(ChaosKind kind, WorkerContext context) {
        this.kind = kind;
        this.context = context;
        this.occupancy = new OccupancyCheck(context.counter(), context.who(), READERS);
    }

    @Override
    public void inspect() {
        occupancy.inspect(kind.keys());
    }

    @Override
    public ContendedResource draw(Duration lease, boolean renewed) {
        String key = context.anyKey(kind);
        DistributedReadWriteLock lock = context.keyhold()
                .readWriteLock(
                        key, context.terms(lease, renewed).maxWait(WAIT_LIMIT).build());
        if (context.random().nextInt(3) < 2) {
            return new ContendedLock(key, lock.readLock(), (held, millis) -> occupancy.occupy(held, 1, millis));
        }
        return new ContendedLock(key, lock.writeLock(), (held, millis) -> write(lock, held, millis));
    }

    private void write(DistributedReadWriteLock lock, Lease lease, long millis) throws InterruptedException {
        OccupancyCheck.Entry written = occupancy.occupy(lease, READERS, millis);
        int then = context.random().nextInt(4);
        if (then == 0) {
            readOn(downgraded(lock, lease), written);
        } else if (then == 1) {
            readOn(beside(lock, lease), written);
        }
    }

    private Optional<Lease> downgraded(DistributedReadWriteLock lock, Lease lease) {
        try {
            return Optional.of(lock.downgrade(lease));
        } catch (LeaseLostException e) {
            if (lease.isHeld()) {
                context.counter().violation(context.who() + " holds " + lease.key() + " but got: " + e.getMessage());
            }
            context.counter().count("lost before the downgrade");
            return Optional.empty();
        }
    }

    /** Acquires the read lock in addition to the write lock, if that is still held; only the owner thread can. */
    private Optional<Lease> beside(DistributedReadWriteLock lock, Lease lease) {
        Optional<Lease> read = lock.readLock().tryAcquire();
        boolean stillHeld = lease.isHeld();
        try {
            lease.close();
        } catch (LeaseLostException lost) {
            read.ifPresent(Lease::close); // The caller never sees it, and the thread would hold it for ever.
            throw lost;
        }
        if (read.isPresent() && !stillHeld) {
            read.get().close();
            return Optional.empty();
        }
        return read;
    }

    /** Checks that there was no other write since. */
    private void readOn(Optional<Lease> read, OccupancyCheck.Entry written) throws InterruptedException {
        if (read.isEmpty()) {
            return;
        }
        try {
            OccupancyCheck.Entry seen =
                    occupancy.occupy(read.get(), 1, context.random().nextInt(10));
            if (written.counted() && seen.counted()) {
                context.counter().count("read on after writing");
                if (written.version() != seen.version()) {
                    context.counter()
                            .violation(context.who() + " wrote version " + written.version() + " of "
                                    + read.get().key() + " and went on reading, but read " + seen.version()
                                    + ", fencing token " + read.get().fencingToken());
                }
            }
        } finally {
            read.get().close();
        }
    }
}
