package io.keyhold.internal.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The part of a Redis Cluster that a text hashes to: CRC16 (XMODEM) of its bytes. Hash tags are for the caller to see to.
 *
 * @param number from 0 to 16383
 */
record HashSlot(int number) {

    private static final int SLOTS = 16_384;
    private static final int POLYNOMIAL = 0x1021;

    /** The slot of a text without a hash tag. */
    static HashSlot of(String text) {
        int crc = 0;
        for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
            crc ^= (next & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ POLYNOMIAL;
            }
            crc &= 0xffff;
        }
        return new HashSlot(crc % SLOTS);
    }

    /** The smallest whole number that hashes to this slot. All clients must find the same one, so it never changes. */
    String tag() {
        return Integer.toString(Tags.SMALLEST[number]);
    }

    /** Found once for the JVM, when the first key needs one: most applications have no such keys. */
    private static final class Tags {

        static final int[] SMALLEST = find();

        private static int[] find() {
            int[] smallest = new int[SLOTS];
            Arrays.fill(smallest, -1);
            int missing = SLOTS;
            for (int candidate = 0; missing > 0; candidate++) {
                int slot = of(Integer.toString(candidate)).number;
                if (smallest[slot] < 0) {
                    smallest[slot] = candidate;
                    missing--;
                }
            }
            return smallest;
        }
    }
}
