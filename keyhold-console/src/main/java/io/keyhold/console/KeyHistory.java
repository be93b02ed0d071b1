package io.keyhold.console;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The last holds of one key. Not safe for use by several threads. */
final class KeyHistory {

    static final int MOST_HOLDS = 50;

    /** Of a semaphore with more holders, single holds are not followed: they would push each other out. */
    static final int MOST_HOLDERS = 25;

    /** What a key takes without its holds and its name, roughly. */
    private static final int BYTES = 400;

    private final Deque<Hold> holds = new ArrayDeque<>();
    private Map<String, Long> waitingSince = Map.of();
    private final Set<String> forced = new HashSet<>();
    private long bytes;

    KeyHistory(String key) {
        bytes = BYTES + 2L * key.length();
    }

    /**
     * Takes a sample.
     *
     * @param lock what the sample shows; empty if the key is free
     * @param at the time of the sample
     * @param continuous whether the sample before is known
     * @param waits gets the wait of each new hold that was seen waiting
     * @param ends gets each hold that has ended
     */
    void sample(Optional<LockSnapshot> lock, long at, boolean continuous, Consumer<Long> waits, Consumer<Hold> ends) {
        if (lock.isPresent() && lock.get().holderCount() > MOST_HOLDERS) {
            closeUnseen(at, false, List.of(), hold -> {}); // They may end while there are so many.
            return;
        }
        List<LockHolder> holders = lock.map(LockSnapshot::holders).orElse(List.of());
        List<Hold> fresh = new ArrayList<>();
        for (LockHolder holder : holders) {
            // A foreign holder may have the same value each time. A hold of ours that is there again was not over.
            Hold known = find(holder.token(), holder.fencingToken().orElse(0))
                    .filter(hold -> hold.isOpen() || !holder.foreign())
                    .orElse(null);
            if (known == null) {
                known = Hold.sampled(holder, at);
                fresh.add(known);
            }
            known.see(holder, at);
        }
        closeUnseen(at, continuous, fresh, ends);
        for (Hold hold : fresh) {
            Long since = waitingSince.get(hold.token());
            if (since != null) {
                hold.waited(hold.from() - since);
                waits.accept(Math.max(0, hold.from() - since));
            }
            add(hold);
        }
        waitingSince = waiters(lock);
    }

    private void closeUnseen(long at, boolean continuous, List<Hold> fresh, Consumer<Hold> ends) {
        Optional<Hold> successor = fresh.stream()
                .filter(hold -> waitingSince.containsKey(hold.token()))
                .findFirst();
        for (Hold hold : holds) {
            if (!hold.isOpen() || hold.seenAt() == at) {
                continue;
            }
            String end = forced.contains(hold.token())
                    ? Hold.End.FORCED
                    : continuous ? hold.judge(at, successor.isPresent()) : Hold.End.UNKNOWN;
            long until = successor
                    .map(Hold::from)
                    .filter(from -> from >= hold.seenAt())
                    .orElse(at);
            hold.close(until, end);
            ends.accept(hold);
        }
        forced.removeIf(token ->
                holds.stream().noneMatch(hold -> hold.isOpen() && hold.token().equals(token)));
    }

    private static Map<String, Long> waiters(Optional<LockSnapshot> lock) {
        if (lock.isEmpty() || lock.get().queue().isEmpty()) {
            return Map.of();
        }
        Map<String, Long> waiters = new HashMap<>();
        for (LockWaiter waiter : lock.get().queue()) {
            waiters.put(waiter.token(), waiter.waitingSince().toEpochMilli());
        }
        return waiters;
    }

    /** Takes what a client reports. */
    void report(HoldEvent event) {
        Optional<Hold> known = find(event.token(), event.fencingToken());
        if (known.isPresent()) {
            known.get().report(event);
        } else {
            add(Hold.reported(event));
        }
    }

    boolean forced(String token) {
        return forced.add(token);
    }

    void notForced(String token) {
        forced.remove(token);
    }

    Optional<Hold> find(String token, long fencingToken) {
        for (Iterator<Hold> each = holds.descendingIterator(); each.hasNext(); ) {
            Hold hold = each.next();
            if (hold.is(token, fencingToken)) {
                return Optional.of(hold);
            }
        }
        return Optional.empty();
    }

    private void add(Hold hold) {
        holds.addLast(hold);
        bytes += hold.bytes();
        while (holds.size() > MOST_HOLDS) {
            bytes -= holds.removeFirst().bytes();
        }
    }

    boolean hasOpenHold() {
        return holds.stream().anyMatch(Hold::isOpen);
    }

    List<Hold> holds() {
        return List.copyOf(holds);
    }

    long bytes() {
        return bytes;
    }
}
