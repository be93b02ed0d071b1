package io.keyhold.internal.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The part of a Redis Cluster that a key hashes to: CRC16 (XMODEM) of its bytes, or of those of its hash tag. */
public final class HashSlot {

    /** The number of slots. */
    public static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;
    private static final int[] TABLE = table();

    /**
     * The tags that are known. Found by trying one number after the other, as far as the slots that were asked for need it: all of them
     * take some 160,000 tries, which a command that lives for a moment should not wait for.
     */
    private static final AtomicReferenceArray<@Nullable String> TAGS = new AtomicReferenceArray<>(COUNT);

    private static int nextCandidate;

    private HashSlot() {}

    /** Returns the slot of a key. */
    public static int ofKey(String key) {
        return of(hashTag(key).orElse(key));
    }

    /** What Redis Cluster hashes instead of the whole key: the text between the first opening brace and the next closing one. */
    static Optional<String> hashTag(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        return close > open + 1 ? Optional.of(key.substring(open + 1, close)) : Optional.empty();
    }

    /**
     * Returns the smallest whole number that hashes to the slot of this text, which has no hash tag. All clients must find the same
     * one, so it never changes.
     */
    static String tag(String text) {
        return tag(of(text));
    }

    /** Returns the smallest whole number that hashes to this slot. */
    static String tag(int slot) {
        String known = TAGS.get(slot);
        return known != null ? known : search(slot);
    }

    private static synchronized String search(int slot) {
        String found = TAGS.get(slot);
        while (found == null) {
            String candidate = Integer.toString(nextCandidate++);
            TAGS.compareAndSet(of(candidate), null, candidate);
            found = TAGS.get(slot);
        }
        return found;
    }

    private static int of(String text) {
        int crc = 0;
        for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
            crc = (crc << 8 ^ TABLE[(crc >> 8 ^ next) & 0xff]) & 0xffff;
        }
        return crc % COUNT;
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ POLYNOMIAL;
            }
            table[i] = crc & 0xffff;
        }
        return table;
    }
}
