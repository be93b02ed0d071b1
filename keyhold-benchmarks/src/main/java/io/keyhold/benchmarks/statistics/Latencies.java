package io.keyhold.benchmarks.statistics;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Latencies in nanoseconds, accurate to 0.1 %. Each thread fills its own; they are added afterwards. */
public final class Latencies {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Histogram histogram;

    /** Creates an empty one. */
    public Latencies() {
        this(new Histogram(SIGNIFICANT_DIGITS));
    }

    private Latencies(Histogram histogram) {
        this.histogram = histogram;
    }

    /** Adds a value. A negative one, which two processors' clocks may give, counts as zero. */
    public void record(long nanos) {
        histogram.recordValue(Math.max(0, nanos));
    }

    /** Adds the values of another. */
    public void add(Latencies other) {
        histogram.add(other.histogram);
    }

    /** Returns how many values were recorded. */
    public long count() {
        return histogram.getTotalCount();
    }

    /** Returns the value that this percentage of all values does not exceed; 100 is the maximum. */
    public long percentile(double percent) {
        return histogram.getValueAtPercentile(percent);
    }

    /** Returns the values as one word, which {@link #decode} reads. */
    public String encode() {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        buffer.flip().limit(length);
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Reads what {@link #encode} wrote. */
    public static Latencies decode(String word) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(word));
            return new Latencies(Histogram.decodeFromCompressedByteBuffer(bytes, 0));
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("not a histogram: " + word, e);
        }
    }
}
