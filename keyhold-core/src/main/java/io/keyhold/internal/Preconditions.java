package io.keyhold.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What arguments must look like. Each rule has one home, and each refusal names the value and the rule. */
public final class Preconditions {

    private static final Pattern CLIENT_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    /** In every key of Keyhold's own, and so in no other. */
    private static final String MARK = ":kh:";

    private static final int LONGEST_KEY = 1000;
    private static final int LONGEST_TOKEN = 512;
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);
    private static final Duration LONGEST_LEASE = Duration.ofDays(31);
    private static final Duration LONGEST_WAIT = Duration.ofDays(365);
    private static final Duration LONGEST_INTERVAL = Duration.ofDays(1);
    private static final int MOST_RETRIES = 1_000_000;
    private static final int MOST_KEYS_TOGETHER = 1000;
    private static final int MOST_ATTEMPTS = 1_000_000;
    private static final int MOST_PERMITS = 1_000_000_000;
    private static final Duration LONGEST_LOCAL_TIME = Duration.ofMinutes(1);
    /** Fencing tokens grow by 64 from grant to grant, which leaves 63 numbers for passes between. */
    private static final int MOST_LOCAL_PASSES = 63;

    private Preconditions() {}

    /** Anything but null. The one check for a caller that does not heed the annotations. */
    public static <T> T given(@Nullable T value, String name) {
        if (value == null) {
            throw new IllegalArgumentException(name + " must not be null");
        }
        return value;
    }

    /** A lock's key. */
    public static String key(String key) {
        given(key, "key");
        if (key.isEmpty() || key.length() > LONGEST_KEY) {
            throw new IllegalArgumentException("key must have 1 to " + LONGEST_KEY + " characters, and has "
                    + key.length() + ": '" + cut(key) + "'");
        }
        if (key.contains(MARK)) {
            throw new IllegalArgumentException(
                    "key must not contain '" + MARK + "', which marks Keyhold's own keys: '" + cut(key) + "'");
        }
        return encodable("key", key);
    }

    /** A lock's key behind the client's prefix, both of which were checked: together they must not look like a key of Keyhold's own. */
    public static String prefixed(String prefix, String key) {
        String stored = prefix + key;
        if (stored.contains(MARK)) {
            throw new IllegalArgumentException("key behind its prefix must not contain '" + MARK
                    + "', which marks Keyhold's own keys: '" + cut(key) + "' behind '" + cut(prefix) + "'");
        }
        return stored;
    }

    /** A pattern of keys. */
    public static String pattern(String pattern) {
        return encodable("pattern", given(pattern, "pattern"));
    }

    /** What stands before every key. */
    public static String keyPrefix(String prefix) {
        given(prefix, "prefix");
        if (prefix.length() > LONGEST_KEY || prefix.contains(MARK)) {
            throw new IllegalArgumentException("key prefix must have at most " + LONGEST_KEY
                    + " characters and must not contain '" + MARK + "': '" + cut(prefix) + "'");
        }
        return encodable("key prefix", prefix);
    }

    /** A token that the caller chose. */
    public static String token(String token) {
        given(token, "token");
        if (token.isEmpty() || token.length() > LONGEST_TOKEN || token.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("token must have 1 to " + LONGEST_TOKEN
                    + " characters and no control characters, and has " + token.length() + ": '" + cut(token) + "'");
        }
        return encodable("token", token);
    }

    /** A client's name. */
    public static String clientName(String name) {
        given(name, "clientName");
        if (!CLIENT_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "client name must be 1 to 64 letters, digits and . _ - characters: '" + cut(name) + "'");
        }
        return name;
    }

    /** How long a hold lasts. */
    public static Duration lease(Duration lease) {
        return within("lease", lease, SHORTEST_LEASE, LONGEST_LEASE, "; a lock that must not expire has noExpiry()");
    }

    /** How long permits are held. */
    public static Duration permitLease(Duration lease) {
        return within("lease", lease, SHORTEST_LEASE, LONGEST_LEASE, "");
    }

    /** How long a caller waits. */
    public static Duration maxWait(Duration maxWait) {
        return within("maxWait", maxWait, Duration.ZERO, LONGEST_WAIT, "; leave it out to wait for ever");
    }

    /** The time between two attempts. */
    public static Duration retryInterval(Duration interval) {
        return within("retryInterval", interval, Duration.ZERO, LONGEST_INTERVAL, "");
    }

    /** How long a node of a quorum is waited for. */
    public static Duration nodeTimeout(Duration timeout) {
        return within("nodeTimeout", timeout, Duration.ofMillis(1), Duration.ofSeconds(10), "");
    }

    /** The longest lease on a quorum. */
    public static Duration longestLease(Duration longest) {
        return within("longestLease", longest, Duration.ofSeconds(1), LONGEST_LEASE, "");
    }

    /** How often an attempt is repeated. */
    public static int retries(int retries) {
        return within("retries", retries, 0, MOST_RETRIES);
    }

    /** How often a time is waited. */
    public static int attempts(int attempts) {
        return within("attempts", attempts, 1, MOST_ATTEMPTS);
    }

    /** How many permits a semaphore has. */
    public static int permits(int permits) {
        return within("permits", permits, 1, MOST_PERMITS);
    }

    /** How many permits are asked for, of so many. */
    public static int permitsOf(int permits, int limit) {
        if (permits < 1 || permits > limit) {
            throw new IllegalArgumentException(
                    "permits must be from 1 to the semaphore's " + limit + ", and is " + permits);
        }
        return permits;
    }

    /** How often a lock is passed on within a client. */
    public static int maxLocalPasses(int passes) {
        return within("maxLocalPasses", passes, 0, MOST_LOCAL_PASSES);
    }

    /** For how long a lock is passed on within a client. */
    public static Duration maxLocalTime(Duration time) {
        return within("maxLocalTime", time, Duration.ZERO, LONGEST_LOCAL_TIME, "");
    }

    private static int within(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be from " + least + " to " + most + ", and is " + value);
        }
        return value;
    }

    private static Duration within(String name, Duration value, Duration least, Duration most, String hint) {
        given(value, name);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " must be from " + Formats.duration(least) + " to "
                    + Formats.duration(most) + ", and is " + Formats.duration(value) + hint);
        }
        return value;
    }

    /** The keys of locks that are taken together, sorted: all clients acquire several locks in this order. */
    public static List<String> keysTogether(Collection<String> keys) {
        given(keys, "keys");
        if (keys.isEmpty() || keys.size() > MOST_KEYS_TOGETHER) {
            throw new IllegalArgumentException(
                    "keys must be 1 to " + MOST_KEYS_TOGETHER + " in number, and are " + keys.size());
        }
        TreeSet<String> sorted = new TreeSet<>();
        for (String key : keys) {
            if (!sorted.add(key(key))) {
                throw new IllegalArgumentException("keys must differ, and '" + cut(key) + "' is there twice");
            }
        }
        return List.copyOf(sorted);
    }

    /** Half a surrogate pair has no encoding in UTF-8: drivers send a question mark, so that different keys become one lock. */
    private static String encodable(String name, String text) {
        for (int i = 0; i < text.length(); i++) {
            int character = text.codePointAt(i);
            if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException(
                        name + " must be text that UTF-8 can encode, and has an unpaired surrogate at index " + i
                                + ": '" + cut(text) + "'");
            }
            if (Character.isSupplementaryCodePoint(character)) {
                i++;
            }
        }
        return text;
    }

    private static String cut(String text) {
        return Formats.cut(Formats.readable(text), 80);
    }
}
