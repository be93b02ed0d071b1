package io.keyhold.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks arguments; each exception names the value and the rule. Rules that several callers share are here, the bounds of an option are
 * beside the words of its setter.
 */
public final class Preconditions {

    private static final Pattern CLIENT_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** In every key of Keyhold's own, and so in no other. */
    public static final String MARK = ":kh:";

    public static final Duration SHORTEST_LEASE = Duration.ofMillis(10);
    public static final Duration LONGEST_LEASE = Duration.ofDays(31);

    private static final int LONGEST_KEY = 1000;
    private static final int LONGEST_TOKEN = 512;
    private static final Duration LONGEST_WAIT = Duration.ofDays(365);
    private static final int MOST_KEYS_TOGETHER = 1000;
    private static final int MOST_PERMITS = 1_000_000_000;

    private Preconditions() {}

    /** Returns the value, which must not be null: callers may ignore the annotations. */
    public static <T> T given(@Nullable T value, String name) {
        if (value == null) {
            throw new NullPointerException(name + " must not be null");
        }
        return value;
    }

    /** Returns the values, none of which may be null. The exception names the position: {@code uris[1]}. */
    public static <C extends Collection<?>> C allGiven(@Nullable C values, String name) {
        C present = given(values, name);
        int index = 0;
        for (Object value : present) {
            given(value, name + "[" + index++ + "]");
        }
        return present;
    }

    /** Checks a lock's key. */
    public static String key(String key) {
        given(key, "key");
        if (key.isEmpty() || key.length() > LONGEST_KEY) {
            throw new IllegalArgumentException(
                    "key must have 1 to " + LONGEST_KEY + " characters, had " + key.length() + ": '" + cut(key) + "'");
        }
        if (key.contains(MARK)) {
            throw new IllegalArgumentException(
                    "key must not contain '" + MARK + "', which marks Keyhold's own keys: '" + cut(key) + "'");
        }
        return encodable(key, "key");
    }

    /** Checks a lock's key with the client's prefix, each of which was checked: together they must not look like a key of Keyhold's own. */
    public static String prefixed(String prefix, String key) {
        String stored = prefix + key;
        if (stored.contains(MARK)) {
            throw new IllegalArgumentException("key must not contain '" + MARK
                    + "' together with its prefix, which marks Keyhold's own keys: '" + cut(key) + "' with prefix '"
                    + cut(prefix) + "'");
        }
        return stored;
    }

    /** Checks the prefix of all keys. */
    public static String keyPrefix(String prefix) {
        given(prefix, "prefix");
        if (prefix.length() > LONGEST_KEY || prefix.contains(MARK)) {
            throw new IllegalArgumentException("key prefix must have at most " + LONGEST_KEY
                    + " characters and must not contain '" + MARK + "': '" + cut(prefix) + "'");
        }
        return encodable(prefix, "key prefix");
    }

    /** Checks a token that the caller chose. */
    public static String token(String token) {
        if (TokenText.isResting(plain(token, "token", LONGEST_TOKEN))) {
            throw new IllegalArgumentException("token must not end with '" + TokenText.RESTING
                    + "', which marks keys at rest: '" + cut(token) + "'");
        }
        return token;
    }

    /** Checks a short text that people read. */
    public static String plain(String text, String name, int longest) {
        given(text, name);
        if (text.isEmpty() || text.length() > longest || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(name + " must have 1 to " + longest
                    + " characters and no control characters, had " + text.length() + ": '" + cut(text) + "'");
        }
        return encodable(text, name);
    }

    /** Checks a token that an operator saw, of any client. */
    public static String seenToken(String token) {
        if (given(token, "expectedToken").isEmpty()) {
            throw new IllegalArgumentException("expectedToken must not be empty");
        }
        return token;
    }

    /** Checks how long a key stays taken after a release, in milliseconds, rounded up. */
    public static long restMillis(Duration rest) {
        return within(rest, "rest", Duration.ZERO, LONGEST_LEASE)
                .plusNanos(999_999)
                .toMillis();
    }

    /** Checks a client's name. */
    public static String clientName(String name) {
        given(name, "clientName");
        if (!CLIENT_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "client name must be 1 to 64 letters, digits, '.', '_' or '-', was '" + cut(name) + "'");
        }
        return name;
    }

    /** Checks the lease of a lock. */
    public static Duration lease(Duration lease) {
        return within(
                lease, "lease", SHORTEST_LEASE, LONGEST_LEASE, "; use noExpiry() for a lock that must not expire");
    }

    /** Checks how long a caller waits. */
    public static Duration maxWait(Duration maxWait) {
        return within(maxWait, "maxWait", Duration.ZERO, LONGEST_WAIT, "; leave it unset to wait indefinitely");
    }

    /** Checks the number of permits of a semaphore. */
    public static int permits(int permits) {
        return within(permits, "permits", 1, MOST_PERMITS);
    }

    /** Checks the number of permits that are requested from a semaphore with this many. */
    public static int permitsOf(int permits, int limit) {
        if (permits < 1 || permits > limit) {
            throw new IllegalArgumentException(
                    "permits must be from 1 to the semaphore's " + limit + ", was " + permits);
        }
        return permits;
    }

    /** Checks a number, which must be within these bounds. */
    public static int within(int value, String name, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be from " + least + " to " + most + ", was " + value);
        }
        return value;
    }

    /** Checks a time, which must be within these bounds. */
    public static Duration within(Duration value, String name, Duration least, Duration most) {
        return within(value, name, least, most, "");
    }

    private static Duration within(Duration value, String name, Duration least, Duration most, String hint) {
        given(value, name);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " must be from " + Formats.duration(least) + " to "
                    + Formats.duration(most) + ", was " + Formats.duration(value) + hint);
        }
        return value;
    }

    /** Returns the keys of locks that are taken together, sorted: all clients acquire several locks in this order. */
    public static List<String> keysTogether(Collection<String> keys) {
        allGiven(keys, "keys");
        if (keys.isEmpty() || keys.size() > MOST_KEYS_TOGETHER) {
            throw new IllegalArgumentException(
                    "keys must be 1 to " + MOST_KEYS_TOGETHER + " in number, were " + keys.size());
        }
        TreeSet<String> sorted = new TreeSet<>();
        for (String key : keys) {
            if (!sorted.add(key(key))) {
                throw new IllegalArgumentException("keys must differ, but '" + cut(key) + "' appears twice");
            }
        }
        return List.copyOf(sorted);
    }

    /** Checks that a text can be sent. Half a surrogate pair has no encoding in UTF-8: drivers send a question mark, so that different keys become one lock. */
    public static String encodable(String text, String name) {
        given(text, name);
        for (int i = 0; i < text.length(); i++) {
            int character = text.codePointAt(i);
            if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException(
                        name + " must be text that UTF-8 can encode, had an unpaired surrogate at index " + i + ": '"
                                + cut(text) + "'");
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
