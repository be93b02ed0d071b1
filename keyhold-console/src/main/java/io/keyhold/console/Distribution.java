package io.keyhold.console;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts durations for each minute of the last hour, in buckets that are at most 1/16 wide of their value. Its memory is fixed. Not safe
 * for use by several threads.
 */
final class Distribution {

    private static final int MINUTES = 60;
    private static final int PER_OCTAVE_BITS = 4;
    private static final int PER_OCTAVE = 1 << PER_OCTAVE_BITS;
    private static final int BUCKETS = PER_OCTAVE * 28;
    private static final long LARGEST = (1L << 30) - 1;
    private static final long MINUTE = 60_000;

    private final Slot[] slots = new Slot[MINUTES];

    Distribution() {
        Arrays.setAll(slots, i -> new Slot());
    }

    private static final class Slot {
        private long minute = -1;
        private long max;
        private final int[] counts = new int[BUCKETS];
    }

    /** Counts a duration that ended at this time. One that is older than what its slot has is left out. */
    void add(long at, long millis) {
        long minute = at / MINUTE;
        Slot slot = slots[(int) (minute % MINUTES)];
        if (minute < slot.minute) {
            return;
        }
        if (minute > slot.minute) {
            slot.minute = minute;
            slot.max = 0;
            Arrays.fill(slot.counts, 0);
        }
        long value = Math.min(Math.max(millis, 0), LARGEST);
        slot.counts[bucket(value)]++;
        slot.max = Math.max(slot.max, value);
    }

    static int bucket(long value) {
        if (value < PER_OCTAVE) {
            return (int) value;
        }
        int exponent = 63 - Long.numberOfLeadingZeros(value);
        int shift = exponent - PER_OCTAVE_BITS;
        return (shift + 1) * PER_OCTAVE + (int) (value >> shift) - PER_OCTAVE;
    }

    /** Returns the largest value of a bucket. */
    static long upperEnd(int bucket) {
        if (bucket < PER_OCTAVE) {
            return bucket;
        }
        int shift = bucket / PER_OCTAVE - 1;
        return ((long) (bucket % PER_OCTAVE + PER_OCTAVE + 1) << shift) - 1;
    }

    /** Returns count, percentiles and maximum of the last minutes. */
    Map<String, @Nullable Object> summary(long now, int minutes) {
        long[] counts = new long[BUCKETS];
        long max = 0;
        long count = 0;
        for (Slot slot : slots) {
            if (slot.minute <= now / MINUTE - minutes) {
                continue;
            }
            max = Math.max(max, slot.max);
            for (int i = 0; i < BUCKETS; i++) {
                counts[i] += slot.counts[i];
                count += slot.counts[i];
            }
        }
        Map<String, @Nullable Object> summary = new LinkedHashMap<>();
        summary.put("count", count);
        summary.put("p50", percentile(counts, count, max, 50));
        summary.put("p90", percentile(counts, count, max, 90));
        summary.put("p99", percentile(counts, count, max, 99));
        summary.put("max", count == 0 ? null : max);
        return summary;
    }

    private static @Nullable Long percentile(long[] counts, long count, long max, int percent) {
        long rank = (count * percent + 99) / 100;
        long below = 0;
        for (int i = 0; i < BUCKETS; i++) {
            below += counts[i];
            if (below >= rank && below > 0) {
                return Math.min(upperEnd(i), max);
            }
        }
        return null;
    }
}
