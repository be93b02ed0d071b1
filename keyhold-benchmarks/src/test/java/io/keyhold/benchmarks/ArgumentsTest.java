package io.keyhold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.shape.Shape;
import io.keyhold.benchmarks.shape.Shapes;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ArgumentsTest {
    @Test
    void everythingByDefault() {
        Arguments arguments = Arguments.parse();
        assertThat(arguments.isJmh()).isFalse();
        assertThat(arguments.isHelp()).isFalse();
        assertThat(arguments.shapes()).isEqualTo(Shapes.all(false));
        assertThat(arguments.contenders()).containsExactly(Contender.values());
        assertThat(arguments.redis()).isEmpty();
        assertThat(Plan.seconds(arguments))
                .as("seconds, as docs/benchmarks.md says")
                .isLessThan(75 * 60);
    }

    @Test
    void quickRunIsShort() {
        Arguments arguments = Arguments.parse("--quick");
        assertThat(arguments.shapes())
                .extracting(Shape::id)
                .contains("renewal-10000")
                .doesNotContain("renewal-100000");
        assertThat(Plan.seconds(arguments)).as("seconds").isLessThan(9 * 60);
    }

    @Test
    void takesAllOptions() {
        Arguments arguments = Arguments.parse(
                "--rounds",
                "3",
                "--seconds",
                "0.5",
                "--contenders",
                "redisson,raw-jedis",
                "--redis",
                "redis://example:1234",
                "--output",
                "here",
                "own-1",
                "own-32",
                "renewal-500");
        assertThat(arguments.effort().rounds()).isEqualTo(3);
        assertThat(arguments.effort().measured()).isEqualTo(Duration.ofMillis(500));
        assertThat(arguments.effort().warmUp()).isEqualTo(Duration.ofMillis(2_500));
        assertThat(arguments.contenders()).containsExactly(Contender.RAW_JEDIS, Contender.REDISSON);
        assertThat(arguments.shapes()).extracting(Shape::id).containsExactly("own-1", "own-32", "renewal-500");
        assertThat(arguments.redis()).contains("redis://example:1234");
        assertThat(arguments.output()).isEqualTo(Path.of("here"));
    }

    @Test
    void roundsOverrideQuick() {
        assertThat(Arguments.parse("--rounds", "7", "--quick").effort().rounds())
                .isEqualTo(7);
    }

    @Test
    void otherTasks() {
        assertThat(Arguments.parse("--jmh").isJmh()).isTrue();
        assertThat(Arguments.parse("--help").isHelp()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "101", "-1", "many", "1.5"})
    void refusesRounds(String value) {
        assertRefused("--rounds must be a whole number from 1 to 100, was '" + value + "'", "--rounds=" + value);
        assertRefused("--failovers must be a whole number from 1 to 100, was '" + value + "'", "--failovers=" + value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.09", "601", "NaN", "long"})
    void refusesSeconds(String value) {
        assertRefused("--seconds must be a number from 0.1 to 600, was '" + value + "'", "--seconds=" + value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "rediss://host", "redis://", "redis://:secret@host", "redis://host/2", "redis://a b"
            })
    void refusesServers(String value) {
        assertRefused("--redis must be redis://host or redis://host:port, was '" + value + "'", "--redis=" + value);
    }

    @ParameterizedTest
    @CsvSource({
        "--fast, Unknown option: '--fast'",
        "--rounds, Missing required parameter for option '--rounds'",
        "own-2, shape must be one of own-1",
        "renewal-0, shape must be one of own-1",
        "'--contenders=redisson,zookeeper', 'contender must be one of raw-jedis, raw-lettuce, keyhold-jedis,'",
    })
    void refusesUnknownWords(String word, String message) {
        assertRefused(message, word);
    }

    private static void assertRefused(String message, String word) {
        assertThatThrownBy(() -> Arguments.parse(word))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining(message);
    }
}
