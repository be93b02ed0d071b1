package io.keyhold.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.internal.LockKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyNamesTest {

    private static final int LONGEST = 5;
    private static final int RANDOM_KEYS = 10_000;
    private static final List<UnaryOperator<String>> COMPANIONS = Stream.<Function<KeyNames, String>>of(
                    KeyNames::last, KeyNames::queue, KeyNames::permits, KeyNames::waiters)
            .<UnaryOperator<String>>map(name -> key -> name.apply(KeyNames.of(key)))
            .toList();

    @ParameterizedTest
    @CsvSource({
        "invoice:42, {invoice:42}:kh:queue",
        "{user:1}:lock, {user:1}:kh:queue:{user:1}:lock",
        "a{b}c, {b}:kh:queue:a{b}c",
        "{x}, {x}:kh:queue:{x}",
        "a{b, {a{b}:kh:queue",
        "{}x, {19354}:kh:queue:{}x",
        "x}y, {19055}:kh:queue:x}y",
        "{x}y}, {x}:kh:queue:{x}y}",
    })
    void companions(String lock, String queue) {
        assertThat(KeyNames.of(lock).queue()).isEqualTo(queue);
        assertThat(KeyNames.isCompanion(queue)).isTrue();
        assertThat(KeyNames.isCompanion(lock)).isFalse();
    }

    @Test
    void everySlotHasOneCounter() {
        Map<Integer, String> counters = new HashMap<>();
        for (int i = 0; i < 300_000; i++) {
            String key = "invoice:" + i;
            String counter = KeyNames.of(key).counter();
            assertThat(counters.merge(slot(key), counter, (known, other) -> known))
                    .isEqualTo(counter);
        }
        assertThat(counters).hasSize(16_384);
        counters.forEach((slot, counter) -> {
            assertThat(slot(counter)).as(counter).isEqualTo(slot);
            assertThat(isAccepted(counter)).as(counter).isFalse();
        });
        assertThat(counters.values()).doesNotHaveDuplicates();
        assertThat(KeyNames.of("a{b}c").counter()).isEqualTo(KeyNames.of("b").counter());
        assertThat(KeyNames.of("x}y").counter()).isEqualTo("{19055}:kh:fence");
    }

    /** Every key of up to five of the characters that names are made of. */
    @Test
    void companionsOfShortKeysAreUniqueAndInSlot() {
        List<String> keys = new ArrayList<>(List.of(""));
        for (int from = 0, length = 1; length <= LONGEST; length++) {
            int to = keys.size();
            for (String beginning : keys.subList(from, to).toArray(String[]::new)) {
                for (char next : new char[] {'{', '}', ':', 'k', 'h', 'a'}) {
                    keys.add(beginning + next);
                }
            }
            from = to;
        }
        check(keys.subList(1, keys.size()));
    }

    /** Longer keys, made of what companions' names are made of. */
    @Test
    void companionsOfLongKeysAreUniqueAndInSlot() {
        List<String> parts = new ArrayList<>(List.of(
                "{",
                "}",
                "{}",
                "{x}",
                "x",
                ":",
                ":kh",
                "kh:",
                ":kh:",
                "fence",
                "queue",
                "permits",
                "waiters",
                "keyhold:",
                "grants:",
                "incarnation",
                "0",
                "9126",
                "\u00e9",
                "\u20ac",
                "\ud83d\udd12"));
        COMPANIONS.forEach(companion -> parts.add(companion.apply("x}y")));
        COMPANIONS.forEach(companion -> parts.add(companion.apply("x")));
        Random random = new Random(13);
        List<String> keys = new ArrayList<>();
        while (keys.size() < RANDOM_KEYS) {
            StringBuilder key = new StringBuilder();
            for (int left = 1 + random.nextInt(8); left > 0; left--) {
                key.append(parts.get(random.nextInt(parts.size())));
            }
            keys.add(key.toString());
        }
        check(keys.stream().distinct().toList());
    }

    /** No user can lock a refused key, so only a companion could have its name. */
    private static void check(List<String> keys) {
        Map<String, String> owners = new HashMap<>();
        List<String> accepted = keys.stream().filter(KeyNamesTest::isAccepted).toList();
        assertThat(accepted).hasSizeGreaterThan(1000);
        accepted.forEach(key -> owners.put(key, key));
        owners.put(KeyNames.INCARNATION, "the node");
        for (String key : accepted) {
            int slot = slot(key);
            for (UnaryOperator<String> name : COMPANIONS) {
                String companion = name.apply(key);
                String other = owners.put(companion, key);
                if (other != null || slot(companion) != slot || isAccepted(companion)) {
                    assertThat(other).as("the other owner of " + companion).isNull();
                    assertThat(slot(companion)).as(companion).isEqualTo(slot);
                    assertThat(isAccepted(companion))
                            .as("a user may lock " + companion)
                            .isFalse();
                }
            }
        }
    }

    private static boolean isAccepted(String key) {
        try {
            LockKey.of("", key);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** As the specification of Redis Cluster words it, and by long division: not by the code under test. */
    private static int slot(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        int open = 0;
        while (open < bytes.length && bytes[open] != '{') {
            open++;
        }
        int close = open + 1;
        while (close < bytes.length && bytes[close] != '}') {
            close++;
        }
        boolean tagged = close < bytes.length && close > open + 1;
        int from = tagged ? open + 1 : 0;
        int to = tagged ? close : bytes.length;
        int rest = 0;
        for (int bit = from * 8; bit < to * 8 + 16; bit++) {
            int next = bit < to * 8 ? bytes[bit / 8] >> (7 - bit % 8) & 1 : 0;
            rest = rest << 1 | next;
            if (rest >= 0x10000) {
                rest ^= 0x11021;
            }
        }
        return rest % 16384;
    }
}
