package io.keyhold.console;

import io.keyhold.inspect.LockSnapshot;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What samples and events have shown: the last holds of each key, the numbers of waiters, and how long requests waited and holds lasted.
 * Its memory is limited: the keys that were used longest ago go first. Safe for use by several threads.
 */
final class History {

    static final int MOST_KEYS = 20_000;
    static final long MOST_BYTES = 32L * 1024 * 1024;
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private final int mostKeys;
    private final long mostBytes;
    /** The key that was used longest ago is the first. */
    private final LinkedHashMap<String, KeyHistory> keys = new LinkedHashMap<>(64, 0.75f, true);

    /** Keys with an open hold. */
    private final Set<String> held = new HashSet<>();

    private final WaiterGrid grid = new WaiterGrid();
    private final Distribution sampledWaits = new Distribution();
    private final Distribution sampledHolds = new Distribution();
    private final Distribution reportedWaits = new Distribution();
    private final Distribution reportedHolds = new Distribution();
    private long bytes;
    private boolean continuous;
    private boolean reports;

    History() {
        this(MOST_KEYS, MOST_BYTES);
    }

    History(int mostKeys, long mostBytes) {
        this.mostKeys = mostKeys;
        this.mostBytes = mostBytes;
    }

    /** Takes a sample of all locks, or of the first ones if there are too many. */
    synchronized void sample(Iterable<LockSnapshot> locks, long at, boolean complete) {
        Set<String> free = new HashSet<>(held);
        for (LockSnapshot lock : locks) {
            free.remove(lock.key());
            grid.put(lock.key(), lock.waiterCount(), at);
            sample(lock.key(), Optional.of(lock), at);
        }
        if (complete) {
            free.forEach(key -> sample(key, Optional.empty(), at));
        }
        continuous = true;
        trim();
    }

    private void sample(String key, Optional<LockSnapshot> lock, long at) {
        KeyHistory history = of(key);
        long before = history.bytes();
        history.sample(lock, at, continuous, waited -> sampledWaits.add(at, waited), hold -> {
            if (!hold.fromEvent() && continuous) {
                sampledHolds.add(at, hold.heldMillis(at));
            }
        });
        bytes += history.bytes() - before;
        if (history.hasOpenHold()) {
            held.add(key);
        } else {
            held.remove(key);
        }
    }

    private KeyHistory of(String key) {
        KeyHistory known = keys.get(key);
        if (known == null) {
            known = new KeyHistory(key);
            keys.put(key, known);
            bytes += known.bytes();
        }
        return known;
    }

    private void trim() {
        Iterator<Map.Entry<String, KeyHistory>> oldest = keys.entrySet().iterator();
        while ((keys.size() > mostKeys || bytes > mostBytes) && oldest.hasNext()) {
            Map.Entry<String, KeyHistory> entry = oldest.next();
            bytes -= entry.getValue().bytes();
            held.remove(entry.getKey());
            oldest.remove();
        }
    }

    /** Notes that a sample is missing: what ends until the next one ends in an unknown way. */
    synchronized void gap() {
        continuous = false;
    }

    /** Takes events of clients. What did not end within an hour of now is left out: another program wrote it, or a client whose clock is wrong. */
    synchronized void report(List<HoldEvent> events, long now) {
        for (HoldEvent event : events) {
            long age = now - event.at() - event.held();
            if (age <= -HOUR || age >= HOUR) {
                continue;
            }
            reports = true;
            KeyHistory history = of(event.key());
            long before = history.bytes();
            history.report(event);
            bytes += history.bytes() - before;
            reportedWaits.add(event.at() + event.held(), event.waited());
            reportedHolds.add(event.at() + event.held(), event.held());
            trim();
        }
    }

    synchronized boolean hasReports() {
        return reports;
    }

    /** Marks a hold that is about to be removed by force; returns false if it is marked already. */
    synchronized boolean forced(String key, String token) {
        return of(key).forced(token);
    }

    /** Removes the mark of a hold that was not removed by force. */
    synchronized void notForced(String key, String token) {
        of(key).notForced(token);
    }

    /** Returns the longest time that was left of a hold in any sample. */
    synchronized OptionalLong lease(String key, String token, long fencingToken) {
        return Optional.ofNullable(keys.get(key))
                .flatMap(history -> history.find(token, fencingToken))
                .map(Hold::lease)
                .orElse(OptionalLong.empty());
    }

    /** Returns the last holds of a key, the newest first. */
    synchronized List<Map<String, @Nullable Object>> timeline(String key, long now) {
        return Optional.ofNullable(keys.get(key)).map(KeyHistory::holds).orElse(List.of()).stream()
                .sorted(Comparator.comparingLong(Hold::from).reversed())
                .map(hold -> hold.json(now))
                .toList();
    }

    synchronized Map<String, @Nullable Object> contention(long now, int minutes) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("at", now);
        object.putAll(grid.show(now, minutes));
        object.put("wait", (reports ? reportedWaits : sampledWaits).summary(now, minutes));
        object.put("hold", (reports ? reportedHolds : sampledHolds).summary(now, minutes));
        object.put("source", reports ? "events" : "sampling");
        return object;
    }

    /** Returns sizes, for tests and for the log. */
    synchronized Map<String, Long> sizes() {
        Map<String, Long> sizes = new HashMap<>();
        sizes.put("keys", (long) keys.size());
        sizes.put("bytes", bytes);
        sizes.put("held", (long) held.size());
        sizes.put("rows", (long) grid.size());
        return sizes;
    }
}
