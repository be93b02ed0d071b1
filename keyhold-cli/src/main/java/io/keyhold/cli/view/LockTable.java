package io.keyhold.cli.view;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockMode;
import io.keyhold.inspect.LockSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Locks as a table: a row for each hold. */
public final class LockTable {

    private static final String NOTHING = "-";

    private LockTable() {}

    /** The table of these locks, as of now. */
    public static Table of(List<LockSnapshot> locks, Instant now) {
        Table table = new Table("KEY", "KIND", "HOLDER", "LABEL", "HELD FOR", "EXPIRES IN", "WAITERS");
        for (LockSnapshot lock : locks) {
            String waiting = Long.toString(lock.waiterCount());
            for (LockHolder holder : lock.holders()) {
                table.add(
                        lock.key(),
                        kind(lock, holder),
                        name(holder) + (holder.permits() > 1 ? " x" + holder.permits() : ""),
                        label(holder),
                        heldFor(holder, now).map(Ages::text).orElse(NOTHING),
                        holder.remaining().map(Ages::text).orElse("never"),
                        waiting);
            }
            long more = lock.holderCount() - lock.holders().size();
            if (lock.holders().isEmpty() || more > 0) {
                String who = more > 0 ? more + " more" : lock.isDisputed() ? "nobody (disputed)" : "nobody";
                table.add(lock.key(), kind(lock), who, NOTHING, NOTHING, NOTHING, waiting);
            }
        }
        return table;
    }

    /** What is held, with what is out of it where that says more. */
    static String kind(LockSnapshot lock) {
        return switch (lock.kind()) {
            case LOCK -> "lock";
            case SEMAPHORE -> "semaphore " + (lock.permits() - lock.availablePermits()) + "/" + lock.permits();
            case READ_WRITE -> "read/write";
        };
    }

    private static String kind(LockSnapshot lock, LockHolder holder) {
        return switch (lock.kind()) {
            case LOCK, SEMAPHORE -> kind(lock);
            case READ_WRITE -> holder.mode() == LockMode.EXCLUSIVE ? "write" : "read";
        };
    }

    /** The machine and the process, or the whole token of a holder that does not say. */
    static String name(LockHolder holder) {
        return holder.host().isPresent() && holder.processId().isPresent()
                ? holder.host().get() + ":" + holder.processId().getAsLong()
                : holder.token();
    }

    /** The name that the holder has given itself; of foreign ones, that they are. */
    static String label(LockHolder holder) {
        return holder.clientName().orElse(holder.foreign() ? "(foreign)" : NOTHING);
    }

    static Optional<Duration> heldFor(LockHolder holder, Instant now) {
        return holder.heldSince().map(since -> Duration.between(since, now));
    }
}
