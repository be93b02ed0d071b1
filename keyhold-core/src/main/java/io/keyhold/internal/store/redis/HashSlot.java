package io.keyhold.internal.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The part of a Redis Cluster that a key hashes to: CRC16 (XMODEM) of its bytes, or of those of its hash tag. */
public final class HashSlot {

    /** The number of slots. */
    public static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;
    private static final int[] TABLE = table();

    /**
     * The numbers of the tags that are known, plus one; 0 if the tag of a slot is not known. Found by trying one number after the other,
     * as far as the slots that were asked for need it. Written under the lock and read without it: a number never changes, and a thread
     * that does not see it yet searches under the lock.
     */
    private static final int[] TAGS = new int[COUNT];

    /** The next candidates are ten times this number, and the nine numbers after it. */
    private static int nextTens;

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
        int known = TAGS[slot];
        return Integer.toString((known != 0 ? known : search(slot)) - 1);
    }

    /** Tries ten numbers at a time, which differ in their last digit only: a slot takes some 16,000 tries, and the first lock waits. */
    private static synchronized int search(int slot) {
        while (TAGS[slot] == 0) {
            int tens = nextTens++;
            int crc = tens == 0 ? 0 : crc(Integer.toString(tens));
            for (int digit = 0; digit < 10; digit++) {
                int found = next(crc, '0' + digit) % COUNT;
                if (TAGS[found] == 0) {
                    TAGS[found] = tens * 10 + digit + 1;
                }
            }
        }
        return TAGS[slot];
    }

    private static int of(String text) {
        return crc(text) % COUNT;
    }

    private static int crc(String text) {
        int crc = 0;
        for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
            crc = next(crc, next);
        }
        return crc;
    }

    private static int next(int crc, int next) {
        return (crc << 8 ^ TABLE[(crc >> 8 ^ next) & 0xff]) & 0xffff;
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
