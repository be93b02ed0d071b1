package io.keyhold.internal.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The part of a Redis Cluster that a text hashes to: CRC16 (XMODEM) of its bytes. Hash tags are for the caller to see to.
 *
 * @param number from 0 to 16383
 */
record HashSlot(int number) {

    private static final int SLOTS = 16_384;
    private static final int MOST_ASCII = 0x7f;
    private static final int POLYNOMIAL = 0x1021;
    private static final int[] TABLE = table();

    /** The slot of a text without a hash tag. */
    static HashSlot of(String text) {
        int crc = 0;
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next > MOST_ASCII) {
                return new HashSlot(crc(text.getBytes(StandardCharsets.UTF_8)) % SLOTS);
            }
            crc = with(crc, next);
        }
        return new HashSlot(crc % SLOTS);
    }

    private static int crc(byte[] bytes) {
        int crc = 0;
        for (byte next : bytes) {
            crc = with(crc, next);
        }
        return crc;
    }

    private static int with(int crc, int next) {
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

    /** The smallest whole number that hashes to this slot. All clients must find the same one, so it never changes. */
    String tag() {
        return Tags.of(number);
    }

    /**
     * Found by trying one number after the other, as far as the slots that were asked for need it: all of them take some 160,000 tries,
     * which a command that lives for a moment should not wait for.
     */
    private static final class Tags {

        private static final AtomicReferenceArray<@Nullable String> FOUND = new AtomicReferenceArray<>(SLOTS);
        private static int next;

        static String of(int slot) {
            String known = FOUND.get(slot);
            return known != null ? known : search(slot);
        }

        private static synchronized String search(int slot) {
            String found = FOUND.get(slot);
            while (found == null) {
                String candidate = Integer.toString(next++);
                FOUND.compareAndSet(HashSlot.of(candidate).number, null, candidate);
                found = FOUND.get(slot);
            }
            return found;
        }
    }
}
