package io.keyhold.cli.doctor;

import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.spi.RedisCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What would stay for ever: locks that are held without an end, whose holder may be dead, and companions of locks that have lost their
 * expiry. Keyhold leaves neither behind of its own accord. And what would stay for too long ({@link LateEnd}).
 */
final class LeftoversCheck implements Check {

    private static final int MOST_NAMED = 5;
    private static final long MOST_KEYS = 1_000_000;
    private static final String MARK = ":kh:";
    private static final List<String> COMPANIONS = List.of("queue", "last", "permits", "waiters");

    private final Server server;
    private final LockInspector inspector;
    private final boolean everything;

    /** Looks at every key, however many there are, if that is wanted. */
    LeftoversCheck(Server server, LockInspector inspector, boolean everything) {
        this.server = server;
        this.inspector = inspector;
        this.everything = everything;
    }

    @Override
    public String name() {
        return "leftovers";
    }

    @Override
    public Finding examine() {
        long keys = (Long) Objects.requireNonNull(server.call("DBSIZE"), "DBSIZE");
        if (keys > MOST_KEYS && !everything) {
            return Finding.unchecked(this, keys + " keys are many to look through", "Use --deep to look all the same.");
        }
        List<LockSnapshot> locks = inspector.list("*");
        List<String> endless = locks.stream()
                .filter(lock -> lock.holders().stream()
                        .anyMatch(holder -> holder.remaining().isEmpty()))
                .map(LockSnapshot::key)
                .toList();
        List<String> late = endingLate(locks);
        List<String> companions = companionsWithoutExpiry();
        if (endless.isEmpty() && late.isEmpty() && companions.isEmpty()) {
            return Finding.ok(this, locks.size() + " held now, nothing left behind, among " + keys + " keys");
        }
        List<String> seen = new ArrayList<>();
        List<String> cures = new ArrayList<>();
        if (!endless.isEmpty()) {
            seen.add("held without an end: " + named(endless));
            cures.add("keyhold show KEY tells who holds it; if that process is gone, keyhold release KEY --force.");
        }
        if (!late.isEmpty()) {
            seen.add("ends too late, because the server's clock was set back: " + named(late));
            cures.add(
                    "If the holder of such a lock is gone, keyhold release KEY --force; else its release or renewal sets it right.");
        }
        if (!companions.isEmpty()) {
            seen.add("companion keys without expiry: " + named(companions));
            cures.add("Give the companion keys an expiry again: PEXPIRE KEY 86400000.");
        }
        return Finding.warn(
                this,
                String.join("; ", seen),
                "What has no end, or ends too late, stays if its holder is gone: a lock that no other client can take, or memory"
                        + " that is not needed.",
                String.join(" ", cures));
    }

    /** The time is asked for after the locks: what was granted in between must not look like the future. */
    private List<String> endingLate(List<LockSnapshot> locks) {
        if (locks.isEmpty()) {
            return List.of();
        }
        Instant now = server.time();
        return locks.stream()
                .filter(lock -> lock.holders().stream()
                        .anyMatch(holder -> LateEnd.of(holder, now).isPresent()))
                .map(LockSnapshot::key)
                .toList();
    }

    private List<String> companionsWithoutExpiry() {
        // SCAN may answer a key twice.
        TreeSet<String> found = new TreeSet<>();
        String cursor = "0";
        do {
            List<?> page = (List<?>)
                    Objects.requireNonNull(server.call("SCAN", cursor, "MATCH", "{*}:kh:*", "COUNT", "1000"), "SCAN");
            cursor = String.valueOf(page.get(0));
            List<String> keys = ((List<?>) Objects.requireNonNull(page.get(1), "keys"))
                    .stream()
                            .map(String::valueOf)
                            .filter(LeftoversCheck::isCompanion)
                            .toList();
            if (!keys.isEmpty()) {
                List<?> ends = server.pipeline(
                        keys.stream().map(key -> RedisCall.of("PTTL", key)).toList());
                for (int i = 0; i < keys.size(); i++) {
                    if (Objects.equals(ends.get(i), -1L)) {
                        found.add(keys.get(i));
                    }
                }
            }
        } while (!cursor.equals("0"));
        return List.copyOf(found);
    }

    /** As docs/keys.md says: {@code {TAG}:kh:NAME}, and for some keys {@code :KEY} behind it. */
    private static boolean isCompanion(String key) {
        int mark = key.indexOf('}') + 1;
        if (!key.startsWith(MARK, mark)) {
            return false;
        }
        int name = mark + MARK.length();
        int end = key.indexOf(':', name);
        return COMPANIONS.contains(key.substring(name, end < 0 ? key.length() : end));
    }

    private static String named(List<String> keys) {
        String some = keys.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return keys.size() > MOST_NAMED ? some + " and " + (keys.size() - MOST_NAMED) + " more" : some;
    }
}
