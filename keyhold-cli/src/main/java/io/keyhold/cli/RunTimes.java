package io.keyhold.cli;

import io.keyhold.LockOptions;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a command may continue without a renewal of its lease, so that it is certainly dead before the lease ends.
 *
 * <pre>
 * renewed                          TERM             KILL      end of the lease
 *    |---------- work() ------------|---- grace ----|-- margin --|
 * </pre>
 *
 * The lease is renewed after a third of it. With a grace of at most a third and a margin of at most a tenth, more than a fifth is
 * left for a renewal that is slow or must be repeated.
 *
 * @param lease the length of the lease
 * @param grace the time between TERM and KILL
 */
record RunTimes(Duration lease, Duration grace) {

    static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(5);
    private static final Duration LONGEST_MARGIN = Duration.ofSeconds(1);
    private static final int GRACES_IN_A_LEASE = 3;
    private static final int MARGINS_IN_A_LEASE = 10;

    /**
     * Returns these times, with defaults for those that are null.
     *
     * @throws CliException if the command could outlive the lease
     */
    static RunTimes of(@Nullable Duration lease, @Nullable Duration grace) {
        Duration length = lease != null ? lease : LockOptions.DEFAULT_LEASE;
        CliException.refuse(
                length.compareTo(SHORTEST_LEASE) < 0,
                "--lease must be at least " + Durations.text(SHORTEST_LEASE) + ", was " + Durations.text(length)
                        + ", to leave time to stop the command before the lease ends");
        Duration longest = length.dividedBy(GRACES_IN_A_LEASE);
        if (grace == null) {
            return new RunTimes(length, longest.compareTo(DEFAULT_GRACE) < 0 ? longest : DEFAULT_GRACE);
        }
        CliException.refuse(
                grace.compareTo(longest) > 0,
                "--kill-grace must be at most a third of the lease of " + Durations.text(length) + ", was "
                        + Durations.text(grace) + ", so that the command is dead before the lease ends");
        return new RunTimes(length, grace);
    }

    /** Returns how long the command may still run if the lease is valid for this long. */
    Duration work(Duration remaining) {
        Duration left = remaining.minus(grace).minus(margin());
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Returns the time between KILL and the end of the lease. */
    Duration margin() {
        Duration margin = lease.dividedBy(MARGINS_IN_A_LEASE);
        return margin.compareTo(LONGEST_MARGIN) < 0 ? margin : LONGEST_MARGIN;
    }

    /** Formats a duration in seconds for a shell. */
    static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).toPlainString();
    }
}
