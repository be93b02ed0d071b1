package io.keyhold.internal.store.memory;

import java.nio.charset.StandardCharsets;

/**
 * The glob patterns of Redis: {@code *}, {@code ?}, {@code [abc]}, {@code [^a]}, {@code [a-z]} and {@code \} to quote. As there, text is the bytes of
 * its UTF-8, every pattern is valid, a range may have its ends in either order, and a set without a closing bracket goes on to the end.
 */
final class GlobPattern {

    private static final int NO_MATCH = -1;

    private final byte[] pattern;

    GlobPattern(String glob) {
        pattern = glob.getBytes(StandardCharsets.UTF_8);
    }

    /** Everything but a star matches one byte. So if the rest does not match, it is enough to let the last star match more. */
    boolean matches(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int at = 0;
        int behindStar = NO_MATCH;
        int starUntil = 0;
        int next = 0;
        while (next < bytes.length) {
            int behind = at < pattern.length ? behindMatch(at, bytes[next]) : NO_MATCH;
            if (at < pattern.length && pattern[at] == '*') {
                at++;
                behindStar = at;
                starUntil = next;
            } else if (behind != NO_MATCH) {
                at = behind;
                next++;
            } else if (behindStar != NO_MATCH) {
                at = behindStar;
                starUntil++;
                next = starUntil;
            } else {
                return false;
            }
        }
        while (at < pattern.length && pattern[at] == '*') {
            at++;
        }
        return at == pattern.length;
    }

    /** Returns where the pattern goes on, if what is there matches this byte. */
    private int behindMatch(int at, byte next) {
        if (pattern[at] == '[') {
            return behindSet(at + 1, next);
        }
        int only = pattern[at] == '\\' && at + 1 < pattern.length ? at + 1 : at;
        return pattern[only] == next || pattern[at] == '?' ? only + 1 : NO_MATCH;
    }

    private int behindSet(int first, byte next) {
        boolean negated = first < pattern.length && pattern[first] == '^';
        int at = negated ? first + 1 : first;
        boolean found = false;
        while (at < pattern.length && pattern[at] != ']') {
            int last = pattern.length - 1;
            if (pattern[at] == '\\' && at < last) {
                at++;
                found |= pattern[at] == next;
            } else if (at + 1 < last && pattern[at + 1] == '-') {
                found |= isBetween(pattern[at], pattern[at + 2], next);
                at += 2;
            } else {
                found |= pattern[at] == next;
            }
            at++;
        }
        return found == negated ? NO_MATCH : Math.min(at + 1, pattern.length);
    }

    private static boolean isBetween(byte one, byte other, byte next) {
        return next >= Math.min(one, other) && next <= Math.max(one, other);
    }
}
