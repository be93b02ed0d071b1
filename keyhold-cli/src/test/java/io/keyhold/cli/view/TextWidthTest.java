package io.keyhold.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TextWidthTest {

    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "invoice:42, 10",
        "Größe, 5",
        "請求書, 6",
        "カナ, 4",
        "한국어, 6",
        "ＡＢ, 4",
        "😀, 2",
        "⌚✅, 4",
        "🚀🥑🫠, 6",
        "🇩🇪, 2",
        "…, 1",
        "→, 1"
    })
    void countsTerminalColumns(String text, int columns) {
        assertThat(TextWidth.of(text)).isEqualTo(columns);
    }

    @Test
    void combiningMarksHaveNoWidth() {
        assertThat(TextWidth.of("e\u0301")).as("a combining accent").isEqualTo(1);
        assertThat(TextWidth.of("a\u20dd")).as("an enclosing circle").isEqualTo(1);
        assertThat(TextWidth.of("a\u200db")).as("a joiner").isEqualTo(2);
        assertThat(TextWidth.of("\u1112\u1161\u11ab"))
                .as("a syllable in three parts")
                .isEqualTo(2);
    }

    @Test
    void boundariesOfRanges() {
        assertThat(List.of(0x10ff, 0x1100, 0x115f, 0xabff, 0xac00, 0xd7a3, 0x1f5fa, 0x1f5fb, 0x1f64f, 0x1f650))
                .extracting(TextWidth::of)
                .containsExactly(1, 2, 2, 1, 2, 2, 1, 2, 2, 1);
    }

    @Test
    void tableColumnsAreAligned() {
        Table table = new Table("KEY", "KIND");
        table.add("請求書", "lock");
        table.add("plain", "lock");
        assertThat(table.lines()).containsExactly("KEY     KIND", "請求書  lock", "plain   lock");
    }

    @Test
    void cutsToColumns() {
        assertThat(TextWidth.cut("請求書", 6)).isEqualTo("請求書");
        assertThat(TextWidth.cut("請求書", 5)).isEqualTo("請求…");
        assertThat(TextWidth.cut("請求書", 4)).isEqualTo("請…");
        assertThat(TextWidth.cut("請求書", 1)).isEqualTo("…");
        assertThat(TextWidth.cut("請求書", 0)).isEmpty();
        assertThat(TextWidth.cut("ab\u0301c", 2)).isEqualTo("a…");
        assertThat(TextWidth.cut("ab\u0301cd", 3)).isEqualTo("ab\u0301…");
    }

    @Test
    void noRowIsWiderThanTheTerminal() {
        Table table = new Table("KEY", "HOLDER");
        table.add("請求書:".repeat(10), "😀".repeat(20));
        for (int width = 1; width < 90; width++) {
            int most = width;
            assertThat(table.lines(width))
                    .allSatisfy(line -> assertThat(TextWidth.of(line)).isLessThanOrEqualTo(most));
        }
    }
}
