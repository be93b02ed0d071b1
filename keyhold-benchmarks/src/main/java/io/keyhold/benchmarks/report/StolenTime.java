package io.keyhold.benchmarks.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * The share of the processors' time that a virtual machine asked for and did not get, because its host ran others. A run with more than a few per cent
 * says little: contenders that wake many threads lose more by it than others.
 */
public final class StolenTime {

    /** The columns of {@code /proc/stat}: user, nice, system, idle, iowait, irq, softirq, steal. Those after it are parts of the first two. */
    private static final int COLUMNS = 8;

    private static final int STEAL = 7;

    private final Path statistics;
    private final long[] before;

    /** Starts now, with the statistics of this machine. */
    public StolenTime() {
        this(Path.of("/proc/stat"));
    }

    StolenTime(Path statistics) {
        this.statistics = statistics;
        before = read();
    }

    /** Returns the share since the start as text, "unknown" on systems other than Linux. */
    public String share() {
        long[] now = read();
        long total = Arrays.stream(now).sum() - Arrays.stream(before).sum();
        return total <= 0
                ? "unknown"
                : String.format(Locale.ROOT, "%.1f %%", 100.0 * (now[STEAL] - before[STEAL]) / total);
    }

    private long[] read() {
        try {
            return Files.readAllLines(statistics, StandardCharsets.UTF_8).stream()
                    .filter(line -> line.startsWith("cpu "))
                    .flatMapToLong(line -> Arrays.stream(line.strip().split(" +"))
                            .skip(1)
                            .limit(COLUMNS)
                            .mapToLong(Long::parseLong))
                    .toArray();
        } catch (IOException e) {
            return new long[COLUMNS];
        }
    }
}
