package io.keyhold.console;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The table of locks: filtered, sorted and in pages, with the tree of prefixes. */
final class LockRows {

    private static final int MOST_ROWS = 1_000;
    private static final int MOST_GROUPS = 500;
    private static final char SEPARATOR = ':';

    private LockRows() {}

    static Map<String, @Nullable Object> of(Sampler.Sample sample, History history, long now, ConsoleRequest request) {
        LockObjects objects = new LockObjects(history, now);
        String prefix = request.parameter("prefix");
        String filter = request.parameter("filter").toLowerCase(Locale.ROOT);
        int offset = request.number("offset", 0, 0, Integer.MAX_VALUE);
        int limit = request.number("limit", 200, 0, MOST_ROWS);
        ToDoubleFunction<LockSnapshot> rank = rank(request.parameter("sort"), objects);
        Collection<LockSnapshot> all = sample.locks().values();
        List<LockSnapshot> matched = all.stream()
                .filter(lock -> lock.key().startsWith(prefix) && matches(lock, filter))
                .toList();
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("at", now);
        object.put("sampledAt", sample.at());
        object.put("total", all.size());
        object.put("matched", matched.size());
        object.put("complete", sample.number() > 0 && !sample.limitReached());
        object.put("limitReached", sample.limitReached());
        object.put("scanMillis", sample.scanMillis());
        object.put("offset", offset);
        object.put(
                "rows",
                matched.stream()
                        .map(lock -> new Ranked(lock, rank.applyAsDouble(lock)))
                        .sorted(Comparator.comparingDouble(Ranked::rank)
                                .thenComparing(each -> each.lock().key()))
                        .map(Ranked::lock)
                        .skip(offset)
                        .limit(limit)
                        .map(objects::lock)
                        .toList());
        object.put("groups", groups(matched, prefix));
        return object;
    }

    private static boolean matches(LockSnapshot lock, String filter) {
        return filter.isEmpty()
                || contains(lock.key(), filter)
                || lock.holders().stream().anyMatch(holder -> matches(holder, filter));
    }

    private static boolean matches(LockHolder holder, String filter) {
        return holder.clientName().filter(name -> contains(name, filter)).isPresent()
                || holder.host().filter(host -> contains(host, filter)).isPresent();
    }

    private static boolean contains(String text, String filter) {
        return text.toLowerCase(Locale.ROOT).contains(filter);
    }

    /** A lock with its rank, which is computed once: the smallest comes first, then by key. */
    private record Ranked(LockSnapshot lock, double rank) {}

    private static ToDoubleFunction<LockSnapshot> rank(String sort, LockObjects objects) {
        return switch (sort) {
            case "", "urgency" -> lock -> -(double) lock.waiterCount() * objects.age(lock);
            case "key" -> lock -> 0;
            case "age" -> lock -> -objects.age(lock);
            case "waiters" -> lock -> -lock.waiterCount();
            default -> throw new ConsoleFailure(400, "sort must be urgency, key, age or waiters, was '" + sort + "'");
        };
    }

    /** Returns the next level of the tree below a prefix, by the parts between colons. */
    private static List<Map<String, @Nullable Object>> groups(List<LockSnapshot> locks, String prefix) {
        Map<String, long[]> groups = new TreeMap<>();
        for (LockSnapshot lock : locks) {
            int end = lock.key().indexOf(SEPARATOR, prefix.length());
            if (end >= 0) {
                long[] sums = groups.computeIfAbsent(lock.key().substring(0, end + 1), none -> new long[2]);
                sums[0]++;
                sums[1] += lock.waiterCount();
            }
        }
        return groups.entrySet().stream()
                .limit(MOST_GROUPS)
                .map(group -> {
                    Map<String, @Nullable Object> object = new LinkedHashMap<>();
                    object.put("prefix", group.getKey());
                    object.put("count", group.getValue()[0]);
                    object.put("waiters", group.getValue()[1]);
                    return object;
                })
                .toList();
    }
}
