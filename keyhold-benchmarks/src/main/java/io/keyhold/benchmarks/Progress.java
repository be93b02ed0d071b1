package io.keyhold.benchmarks;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Prints the current step and the time left: on a terminal in one line that is redrawn, otherwise line by line. */
final class Progress {
    private static final String TO_LINE_START_AND_CLEAR = "\r\u001b[K";
    private static final int BAR = 24;

    private final PrintStream output;
    private final boolean terminal;
    private final double planned;
    private final LongSupplier nanoTime;
    private final long begin;
    private double done;

    /**
     * Prints nothing yet.
     *
     * @param planned the seconds that all steps are expected to take
     */
    Progress(PrintStream output, boolean terminal, double planned, LongSupplier nanoTime) {
        this.output = output;
        this.terminal = terminal;
        this.planned = planned;
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
    }

    /** Begins a step. */
    void step(String name) {
        String line =
                String.format(Locale.ROOT, "%s %3d %%  %s left  %s", bar(), Math.round(share() * 100), left(), name);
        if (terminal) {
            output.print(TO_LINE_START_AND_CLEAR + line);
        } else {
            output.println(line);
        }
        output.flush();
    }

    /** Ends a step that was planned to take this many seconds. */
    void done(double seconds) {
        done += seconds;
    }

    /** Prints a line that stays. */
    void note(String text) {
        output.println((terminal ? TO_LINE_START_AND_CLEAR : "") + text);
        output.flush();
    }

    private double share() {
        return planned == 0 ? 1 : Math.min(1, done / planned);
    }

    private String bar() {
        int full = (int) Math.round(share() * BAR);
        return "█".repeat(full) + "░".repeat(BAR - full);
    }

    /** Returns the rest of the plan, corrected by the time taken so far once enough of it is done. */
    private String left() {
        double elapsed = (nanoTime.getAsLong() - begin) / 1e9;
        double secondsEach = done > planned / 50 ? elapsed / done : 1;
        Duration left = Duration.ofSeconds(Math.round((planned - done) * secondsEach));
        return String.format(Locale.ROOT, "%2d:%02d", left.toMinutes(), left.toSecondsPart());
    }
}
