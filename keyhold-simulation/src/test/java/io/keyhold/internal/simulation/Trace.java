package io.keyhold.internal.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.function.Supplier;

/** What has happened: the last of it to be read, all of it as one number, so that two runs can be compared. */
final class Trace {

    private record Line(long at, String who, String what, Supplier<String> detail) {}

    private final int kept;
    private final Deque<Line> lines = new ArrayDeque<>();
    private long hash = 1;

    Trace(int kept) {
        this.kept = kept;
    }

    void add(long at, String who, String what, Supplier<String> detail) {
        hash = hash * 31 + at;
        hash = hash * 31 + who.hashCode();
        hash = hash * 31 + what.hashCode();
        if (lines.size() == kept) {
            lines.removeFirst();
        }
        lines.addLast(new Line(at, who, what, detail));
    }

    long hash() {
        return hash;
    }

    /** The last of it, one line for each event: milliseconds, who, what. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (Line line : lines) {
            text.append(String.format(
                    Locale.ROOT, "%12.3f  %-10s %-10s %s%n", line.at / 1e6, line.who, line.what, line.detail.get()));
        }
        return text.toString();
    }

    /** The end of a token: what differs from others of the same client. */
    static String brief(String token) {
        int at = token.indexOf('@');
        int dot = token.lastIndexOf('.');
        return at < 0 || dot < 0 ? token : token.substring(0, at) + token.substring(dot);
    }
}
