package io.keyhold.benchmarks.statistics;

import java.util.ArrayList;
import java.util.List;

/**
 * How often something took how long, in nanoseconds. Below 64 it counts each value by itself; above, each doubling has 64
 * steps, so that a percentile is off by less than one per cent. The largest value is kept as it is. A thread fills
 * its own; they are added up afterwards.
 */
public final class LatencyHistogram {
    private static final int STEP_BITS = 6;
    private static final int STEPS = 1 << STEP_BITS;

    private final long[] counts = new long[(Long.SIZE - STEP_BITS) * STEPS];
    private long total;
    private long largest;

    /** Counts one; a negative value, which a clock may give between two processors, as zero. */
    public void record(long nanos) {
        long value = Math.max(0, nanos);
        counts[indexOf(value)]++;
        total++;
        largest = Math.max(largest, value);
    }

    /** Adds what another has counted. */
    public void add(LatencyHistogram other) {
        for (int index = 0; index < counts.length; index++) {
            counts[index] += other.counts[index];
        }
        total += other.total;
        largest = Math.max(largest, other.largest);
    }

    /** How many were counted. */
    public long total() {
        return total;
    }

    /** The largest of all. */
    public long largest() {
        return largest;
    }

    /**
     * The value that this share of all does not exceed.
     *
     * @param percent more than 0, at most 100
     */
    public long percentile(double percent) {
        if (!(percent > 0 && percent <= 100)) {
            throw new IllegalArgumentException("percentile " + percent + ": must be more than 0 and at most 100");
        }
        long rank = Math.max(1, (long) Math.ceil(total * percent / 100));
        long seen = 0;
        for (int index = 0; index < counts.length; index++) {
            seen += counts[index];
            if (seen >= rank) {
                return rank == total ? largest : Math.min(largest, middleOf(index));
            }
        }
        return 0;
    }

    /** As one word: the largest value, then pairs of step and count. */
    public String encode() {
        List<String> pairs = new ArrayList<>();
        for (int index = 0; index < counts.length; index++) {
            if (counts[index] > 0) {
                pairs.add(index + ":" + counts[index]);
            }
        }
        return largest + ";" + String.join(",", pairs);
    }

    /** The reverse of {@link #encode()}. */
    public static LatencyHistogram decode(String word) {
        LatencyHistogram histogram = new LatencyHistogram();
        int semicolon = word.indexOf(';');
        histogram.largest = Long.parseLong(word.substring(0, semicolon));
        String pairs = word.substring(semicolon + 1);
        if (!pairs.isEmpty()) {
            for (String pair : pairs.split(",", -1)) {
                int colon = pair.indexOf(':');
                long count = Long.parseLong(pair.substring(colon + 1));
                histogram.counts[Integer.parseInt(pair.substring(0, colon))] = count;
                histogram.total += count;
            }
        }
        return histogram;
    }

    private static int indexOf(long value) {
        if (value < STEPS) {
            return (int) value;
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        int step = (int) (value >>> (exponent - STEP_BITS)) & (STEPS - 1);
        return (exponent - STEP_BITS + 1) * STEPS + step;
    }

    private static long middleOf(int index) {
        if (index < STEPS) {
            return index;
        }
        int shift = index / STEPS - 1;
        long lowest = (long) (STEPS + index % STEPS) << shift;
        return lowest + (1L << shift) / 2;
    }
}
