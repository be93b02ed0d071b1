package io.keyhold.internal.store.memory;

import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.LockValue;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * One semaphore: the holders of its permits, and how many are in use. Every step takes a time that grows with the logarithm of the
 * number of holders; {@link #view} looks at those whose time is over one by one.
 */
final class MemorySemaphore {

    /**
     * What one token holds.
     *
     * @param grant the token, its fencing token and its beginning
     */
    record Hold(LockValue grant, int permits, MemoryEnd end) {

        String token() {
            return grant.token();
        }
    }

    private final int said;
    private int limit;
    private long used;
    private MemoryEnd keptUntil;
    /** When the last of the rests ends. */
    private Optional<MemoryEnd> restsUntil = Optional.empty();

    private final Map<String, Hold> holds = new HashMap<>();
    /** The same holds, the first to end first. */
    private final TreeSet<Hold> byEnd =
            new TreeSet<>(Comparator.comparing(Hold::end).thenComparing(Hold::token));

    /** Of as many permits as its first client says. */
    MemorySemaphore(int said, MemoryEnd keptUntil) {
        this.said = said;
        this.limit = said;
        this.keptUntil = keptUntil;
    }

    /** Its number of permits is remembered at least until then, also while no permit is held. */
    void keep(MemoryEnd until) {
        keptUntil = keptUntil.orLater(until);
    }

    boolean isForgotten(long nowNanos) {
        // A free read/write lock has nothing to remember.
        return limit == Limit.READ_WRITE ? holds.isEmpty() : keptUntil.isOver(nowNanos) && !isHeld(nowNanos);
    }

    int limit() {
        return limit;
    }

    void resize(int permits) {
        limit = permits;
    }

    /** Whether a client that says this number means this semaphore: the present one, or that of the first client. */
    boolean isMeantBy(int permits) {
        return permits == limit || permits == said;
    }

    boolean isFull() {
        return used >= limit;
    }

    boolean hasRoomFor(int permits) {
        return used + permits <= limit;
    }

    /** The same, if the permits of a hold did not count. */
    boolean hasRoomBeside(Hold other, int permits) {
        return used - other.permits() + permits <= limit;
    }

    Optional<Hold> hold(String token) {
        return Optional.ofNullable(holds.get(token));
    }

    /** The first to end. */
    Optional<Hold> first() {
        return byEnd.isEmpty() ? Optional.empty() : Optional.of(byEnd.first());
    }

    boolean isHeld(long nowNanos) {
        return !byEnd.isEmpty() && !byEnd.last().end().isOver(nowNanos);
    }

    /** Drops those whose time is over. Returns whether there were any. */
    boolean dropExpired(long nowNanos) {
        boolean any = false;
        while (!byEnd.isEmpty() && byEnd.first().end().isOver(nowNanos)) {
            release(byEnd.first().token());
            any = true;
        }
        return any;
    }

    /** A token holds once: this takes the place of what it may have held, and never ends sooner. */
    void grant(LockValue grant, int permits, MemoryEnd end) {
        Hold before = holds.get(grant.token());
        release(grant.token());
        put(new Hold(grant, permits, before == null ? end : end.orLater(before.end())));
        used += permits;
    }

    /** Keeps the permits of a hold taken until then, by a token that no request has. */
    void rest(Hold hold, MemoryEnd until) {
        release(hold.token());
        grant(hold.grant().resting(), hold.permits(), until);
        restsUntil = Optional.of(restsUntil.map(until::orLater).orElse(until));
    }

    /** Returns whether a hold may rest. */
    boolean isResting(long nowNanos) {
        return restsUntil.filter(until -> !until.isOver(nowNanos)).isPresent();
    }

    /** Sets the end of a hold, but never to sooner than it is. */
    void prolong(Hold hold, MemoryEnd end) {
        byEnd.remove(hold);
        put(new Hold(hold.grant(), hold.permits(), end.orLater(hold.end())));
    }

    private void put(Hold hold) {
        holds.put(hold.token(), hold);
        byEnd.add(hold);
    }

    boolean release(String token) {
        Hold hold = holds.remove(token);
        if (hold == null) {
            return false;
        }
        byEnd.remove(hold);
        used -= hold.permits();
        return true;
    }

    /** Frees all permits, and keeps the rest. */
    void clear() {
        holds.clear();
        byEnd.clear();
        used = 0;
        restsUntil = Optional.empty();
    }

    /**
     * What there is to see without touching it.
     *
     * @param used how many permits are out
     * @param holds those whose time is not over, the first to end first
     */
    record View(long used, long holding, List<Hold> holds) {}

    View view(long nowNanos, int most) {
        long over = 0;
        long free = 0;
        for (Hold hold : byEnd) {
            if (!hold.end().isOver(nowNanos)) {
                break;
            }
            over++;
            free += hold.permits();
        }
        return new View(
                used - free,
                byEnd.size() - over,
                byEnd.stream().skip(over).limit(most).toList());
    }
}
