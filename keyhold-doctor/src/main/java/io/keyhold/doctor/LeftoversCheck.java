package io.keyhold.doctor;

import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.spi.RedisCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds what would stay forever: holds without expiry, whose holder may be dead, and companion keys without expiry, which Keyhold
 * itself does not leave behind. Also finds holds that expire too late ({@link LateExpiry}).
 */
final class LeftoversCheck extends Check {

    private static final int MAX_NAMED = 5;
    private static final long MAX_KEYS = 1_000_000;
    private static final String INFIX = ":kh:";
    private static final List<String> COMPANIONS = List.of("queue", "last", "permits", "waiters");

    private final List<Server> servers;
    private final LockInspector inspector;
    private final boolean deep;

    /** Scans all keys of these servers, of which the inspector shows the locks; however many there are, if {@code deep}. */
    LeftoversCheck(List<Server> servers, LockInspector inspector, boolean deep) {
        super("leftovers");
        this.servers = List.copyOf(servers);
        this.inspector = inspector;
        this.deep = deep;
    }

    @Override
    Finding run() {
        long keys = servers.stream()
                .mapToLong(server -> (Long) Objects.requireNonNull(server.call("DBSIZE"), "DBSIZE"))
                .sum();
        if (keys > MAX_KEYS && !deep) {
            return unchecked("there are " + keys + " keys", "Use --deep to scan them all.");
        }
        List<LockSnapshot> locks = inspector.list("*");
        List<String> withoutExpiry = locks.stream()
                .filter(lock -> lock.holders().stream()
                        .anyMatch(holder -> holder.remaining().isEmpty()))
                .map(LockSnapshot::key)
                .toList();
        List<String> late = expiringLate(locks);
        // SCAN may return a key twice.
        TreeSet<String> companions = new TreeSet<>();
        servers.forEach(server -> companions.addAll(companionsWithoutExpiry(server)));
        if (withoutExpiry.isEmpty() && late.isEmpty() && companions.isEmpty()) {
            return ok(locks.size() + " locks held, no leftovers among " + keys + " keys");
        }
        List<String> seen = new ArrayList<>();
        List<String> cures = new ArrayList<>();
        if (!withoutExpiry.isEmpty()) {
            seen.add("held without expiry: " + named(withoutExpiry));
            cures.add("keyhold show KEY shows the holder; if that process is gone, keyhold release KEY --force.");
        }
        if (!late.isEmpty()) {
            seen.add("expires too late, because the server's clock was set back: " + named(late));
            cures.add(
                    "If the holder of such a lock is gone, keyhold release KEY --force; otherwise its release or renewal corrects it.");
        }
        if (!companions.isEmpty()) {
            seen.add("companion keys without expiry: " + named(List.copyOf(companions)));
            cures.add("Set an expiry on the companion keys: PEXPIRE KEY 86400000.");
        }
        return warn(
                String.join("; ", seen),
                "If its holder is gone, a lock without expiry, or with a late one, blocks all other clients; companion keys"
                        + " without expiry waste memory.",
                String.join(" ", cures));
    }

    /**
     * Reads the time after the locks, so that a lock granted in between does not seem to be from the future, and by the clock that is ahead, because it is
     * not known which primary has a lock. A clock that differs from the others is a finding of {@link ClockCheck}.
     */
    private List<String> expiringLate(List<LockSnapshot> locks) {
        if (locks.isEmpty()) {
            return List.of();
        }
        Instant now = servers.stream()
                .map(Server::time)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        return locks.stream()
                .filter(lock -> lock.holders().stream()
                        .anyMatch(holder -> LateExpiry.of(holder, now).isPresent()))
                .map(LockSnapshot::key)
                .toList();
    }

    private static List<String> companionsWithoutExpiry(Server server) {
        List<String> found = new ArrayList<>();
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
        return found;
    }

    /** Whether the key is {@code {TAG}:kh:NAME}, or for some locks {@code {TAG}:kh:NAME:KEY} (docs/keys.md). */
    private static boolean isCompanion(String key) {
        int infix = key.indexOf('}') + 1;
        if (!key.startsWith(INFIX, infix)) {
            return false;
        }
        int name = infix + INFIX.length();
        int end = key.indexOf(':', name);
        return COMPANIONS.contains(key.substring(name, end < 0 ? key.length() : end));
    }

    private static String named(List<String> keys) {
        String some = keys.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
        return keys.size() > MAX_NAMED ? some + " and " + (keys.size() - MAX_NAMED) + " more" : some;
    }
}
