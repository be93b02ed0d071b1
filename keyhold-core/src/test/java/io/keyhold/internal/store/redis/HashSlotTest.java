package io.keyhold.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HashSlotTest {

    /** All clients must find the same tag, whichever slots they asked for before. */
    @Test
    void tagIsTheSmallestNumberOfItsSlot() {
        Map<Integer, String> smallest = new HashMap<>();
        for (int number = 0; smallest.size() < HashSlot.COUNT; number++) {
            String text = Integer.toString(number);
            smallest.putIfAbsent(HashSlot.ofKey(text), text);
        }
        for (int slot = HashSlot.COUNT - 1; slot >= 0; slot--) {
            assertThat(HashSlot.tag(slot)).isEqualTo(smallest.get(slot));
        }
    }

    @Test
    void slotIsTheOneOfRedis() {
        assertThat(HashSlot.ofKey("foo")).isEqualTo(12_182);
        assertThat(HashSlot.ofKey("x{foo}y")).isEqualTo(12_182);
    }
}
