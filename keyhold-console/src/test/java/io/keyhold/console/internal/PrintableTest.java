package io.keyhold.console.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PrintableTest {

    @Test
    void hiddenCharactersAreEscaped() {
        assertThat(Printable.text("\u001b[2Jgone\n\u202e\u2028\u2029\u0085"))
                .isEqualTo("\\u001b[2Jgone\\u000a\\u202e\\u2028\\u2029\\u0085");
        assertThat(Printable.text("a lone surrogate \ud800, a tag \udb40\udc41"))
                .isEqualTo("a lone surrogate \\ud800, a tag \\udb40\\udc41");
    }

    @Test
    void otherTextIsUnchanged() {
        assertThat(Printable.text("büro 請求書 😀 \\")).isEqualTo("büro 請求書 😀 \\");
    }
}
