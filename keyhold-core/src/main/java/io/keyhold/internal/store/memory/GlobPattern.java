package io.keyhold.internal.store.memory;

import java.util.regex.Pattern;

/** The glob patterns of Redis: {@code *}, {@code ?}, {@code [abc]}, {@code [^a]}, {@code [a-z]} and {@code \} to quote. */
final class GlobPattern {

    private final Pattern pattern;

    GlobPattern(String glob) {
        StringBuilder regex = new StringBuilder();
        int at = 0;
        while (at < glob.length()) {
            char c = glob.charAt(at);
            int end = c == '[' ? glob.indexOf(']', at + 1) : -1;
            if (end > at + 1) {
                regex.append(set(glob.substring(at + 1, end)));
                at = end;
            } else if (c == '*') {
                regex.append(".*");
            } else if (c == '?') {
                regex.append('.');
            } else if (c == '\\' && at + 1 < glob.length()) {
                at++;
                regex.append(Pattern.quote(glob.substring(at, at + 1)));
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
            at++;
        }
        pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    private static String set(String members) {
        boolean negated = members.startsWith("^");
        // Only ^ at the start and - between two characters mean anything; the rest is quoted.
        String quoted = (negated ? members.substring(1) : members).replaceAll("[\\\\\\[\\]&^]", "\\\\$0");
        return "[" + (negated ? "^" : "") + quoted + "]";
    }

    boolean matches(String text) {
        return pattern.matcher(text).matches();
    }
}
