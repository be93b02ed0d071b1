package io.keyhold.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyNamesTest {

    @ParameterizedTest
    @CsvSource({
        "invoice:42, {invoice:42}:kh:fence",
        "{user:1}:lock, {user:1}:lock:kh:fence",
        "a{b}c, a{b}c:kh:fence",
        "{x}, {x}:kh:tag:kh:fence",
        "{}x, {{}x}:kh:fence",
        "a{b, {a{b}:kh:fence",
    })
    void companions(String lock, String fence) {
        assertThat(KeyNames.fence(lock)).isEqualTo(fence);
        assertThat(KeyNames.isCompanion(fence)).isTrue();
        assertThat(KeyNames.isCompanion(lock)).isFalse();
    }

    @Test
    void noTwoLocksShareACompanion() {
        List<String> locks =
                List.of("x", "{x}", "{{x}}", "{x}y", "y{x}", "{}", "{}x", "x{}", "{", "}", "}{", "{x", "x}");
        Set<String> companions = new HashSet<>();
        locks.forEach(lock ->
                assertThat(companions.add(KeyNames.fence(lock))).as(lock).isTrue());
    }
}
