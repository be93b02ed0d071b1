package io.keyhold.cli.view;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockMode;
import io.keyhold.inspect.LockSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Locks as a table, one row per hold. */
public final class LockTable {

    private static final String NONE = "-";

    private LockTable() {}

    /** Returns the table of these locks. */
    public static Table of(List<LockSnapshot> locks, Instant now) {
        Table table = new Table("KEY", "KIND", "HOLDER", "LABEL", "HELD FOR", "EXPIRES IN", "WAITERS");
        for (LockSnapshot lock : locks) {
            String waiters = Long.toString(lock.waiterCount());
            for (LockHolder holder : lock.holders()) {
                table.add(
                        lock.key(),
                        kind(lock, holder),
                        name(holder) + (holder.permits() > 1 ? " x" + holder.permits() : ""),
                        holder.clientName().orElse(holder.foreign() ? "(foreign)" : NONE),
                        holder.heldSince()
                                .map(since -> DurationText.of(Duration.between(since, now)))
                                .orElse(NONE),
                        expiresIn(holder),
                        waiters);
            }
            long more = lock.holderCount() - lock.holders().size();
            if (lock.holders().isEmpty() || more > 0) {
                String holder = more > 0 ? more + " more" : lock.isDisputed() ? "none (disputed)" : "none";
                table.add(lock.key(), kind(lock), holder, NONE, NONE, NONE, waiters);
            }
        }
        return table;
    }

    /** Returns the kind of a lock, for a semaphore with the permits in use. */
    private static String kind(LockSnapshot lock) {
        return switch (lock.kind()) {
            case LOCK -> "lock";
            case SEMAPHORE -> "semaphore " + (lock.permits() - lock.availablePermits()) + "/" + lock.permits();
            case READ_WRITE -> "read/write";
        };
    }

    private static String kind(LockSnapshot lock, LockHolder holder) {
        return switch (lock.kind()) {
            case LOCK, SEMAPHORE -> kind(lock);
            case READ_WRITE -> side(holder.mode());
        };
    }

    /** Returns host and process of a holder, or its token if they are not known. */
    static String name(LockHolder holder) {
        return holder.host().isPresent() && holder.processId().isPresent()
                ? holder.host().get() + ":" + holder.processId().getAsLong()
                : holder.token();
    }

    /** Returns the side of a read/write lock. */
    static String side(LockMode mode) {
        return mode == LockMode.EXCLUSIVE ? "write" : "read";
    }

    static String expiresIn(LockHolder holder) {
        return holder.remaining().map(DurationText::of).orElse("never");
    }
}
