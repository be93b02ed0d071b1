package io.keyhold.tests.stress;

import io.keyhold.DistributedReadWriteLock;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import java.time.Duration;
import java.util.Optional;

/** Read/write locks: mostly to read, else to write, and some of those who wrote go on reading. */
final class ReadWriteContest implements Contest {

    /** So many may be inside together, as far as a chaos run goes: a reader counts for one, a writer for all. */
    static final int READERS = 1000;

    private final ChaosKind kind;
    private final Player player;
    private final Attendance attendance;

    ReadWriteContest(ChaosKind kind, Player player) {
        this.kind = kind;
        this.player = player;
        this.attendance = new Attendance(player.counter(), player.who(), READERS);
    }

    @Override
    public void inspect() {
        attendance.inspect(kind.keys());
    }

    @Override
    public Contested draw(Duration lease, boolean renewed) {
        String key = player.anyKey(kind);
        DistributedReadWriteLock lock = player.keyhold()
                .readWriteLock(
                        key,
                        player.terms(lease, renewed).maxWait(GETS_ON_WITHIN).build());
        if (player.random().nextInt(3) < 2) {
            return new ContestedLock(key, lock.readLock(), (held, millis) -> attendance.attend(held, 1, millis));
        }
        return new ContestedLock(key, lock.writeLock(), (held, millis) -> write(lock, held, millis));
    }

    private void write(DistributedReadWriteLock lock, Lease lease, long millis) throws InterruptedException {
        Attendance.Entry written = attendance.attend(lease, READERS, millis);
        int then = player.random().nextInt(4);
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
                player.counter().violation(player.who() + " holds " + lease.key() + " but was told: " + e.getMessage());
            }
            player.counter().count("lost before the downgrade");
            return Optional.empty();
        }
    }

    /** The read lock beside the write lock, if that was still held then; only a thread that waited itself gets it so. */
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

    /** Nobody may have written since. */
    private void readOn(Optional<Lease> read, Attendance.Entry written) throws InterruptedException {
        if (read.isEmpty()) {
            return;
        }
        try {
            Attendance.Entry seen =
                    attendance.attend(read.get(), 1, player.random().nextInt(10));
            if (written.counted() && seen.counted()) {
                player.counter().count("read on after writing");
                if (written.version() != seen.version()) {
                    player.counter()
                            .violation(player.who() + " wrote version " + written.version() + " of "
                                    + read.get().key() + " and went on reading, but read " + seen.version()
                                    + ", fencing token " + read.get().fencingToken());
                }
            }
        } finally {
            read.get().close();
        }
    }
}
