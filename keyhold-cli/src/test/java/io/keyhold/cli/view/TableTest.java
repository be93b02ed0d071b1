package io.keyhold.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTest {

    private static Table table() {
        Table table = new Table("KEY", "KIND");
        table.add("invoice:with-a-long-name", "lock");
        table.add("x", "semaphore 1/4");
        return table;
    }

    @Test
    void columnsFitTheirLongestCell() {
        assertThat(table().lines())
                .containsExactly(
                        "KEY                       KIND",
                        "invoice:with-a-long-name  lock",
                        "x                         semaphore 1/4");
    }

    @Test
    void widestColumnIsCut() {
        assertThat(table().lines(30))
                .containsExactly("KEY              KIND", "invoice:with-a…  lock", "x                semaphore 1/4");
    }

    @Test
    void noLineExceedsTheWidth() {
        for (int width = 1; width < 50; width++) {
            int most = width;
            assertThat(table().lines(width)).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(most));
        }
    }

    /** A key may contain escape sequences. */
    @Test
    void cellsAreEscaped() {
        Table table = new Table("KEY");
        table.add("\u001b[2Jgone\n\u202e");
        assertThat(table.lines()).isEqualTo(List.of("KEY", "\\u001b[2Jgone\\u000a\\u202e"));
    }
}
