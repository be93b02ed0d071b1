package io.keyhold.internal.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows are what Redis 7.0 replies to {@code KEYS}. */
class GlobPatternTest {

    @ParameterizedTest
    @CsvSource({
        "*, anything, true",
        "a*c, abc, true",
        "a*c, ab, false",
        "a?c, abc, true",
        "a?c, ac, false",
        "a[bc]d, abd, true",
        "a[bc]d, aed, false",
        "a[^b]d, aed, true",
        "a[^b]d, abd, false",
        "a[b-d]e, ace, true",
        "a\\*c, a*c, true",
        "a\\*c, abc, false",
        "a.c, abc, false",
        "a[b, ab, true",
        "a[b, a[b, false",
        "a[, a[, false",
        "a[^, ab, true",
        "[z-a]*, m, true",
        "[z-a]*, {, false",
        "[a-]], ], true",
        "a[b-], a_, true",
        "a[^]b, axb, true",
        "a[]b, a]b, false",
        "[\\]], ], true",
        "a\\, a\\, true",
        "a?c, aéc, false",
        "a??c, aéc, true",
        "*é, aé, true",
        "a*b*c, abab, false",
        "a*bc, abbc, true",
        "(a|b), (a|b), true",
        "(a|b), a, false",
    })
    void matchesAsRedisDoes(String pattern, String text, boolean matches) {
        assertThat(new GlobPattern(pattern).matches(text)).isEqualTo(matches);
    }
}
