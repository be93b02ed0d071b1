package io.keyhold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.shape.Shape;
import io.keyhold.benchmarks.shape.Shapes;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentParserTest {
    @Test
    void everythingByDefault() {
        Arguments arguments = ArgumentParser.parse();
        assertThat(arguments.task()).isEqualTo(Arguments.Task.COMPARE);
        assertThat(arguments.shapes()).isEqualTo(Shapes.all());
        assertThat(arguments.entrants()).containsExactly(Entrant.values());
        assertThat(arguments.redis()).isEmpty();
        assertThat(Plan.seconds(arguments)).as("seconds").isLessThan(35 * 60);
    }

    @Test
    void quickIsQuick() {
        assertThat(Plan.seconds(ArgumentParser.parse("--quick"))).as("seconds").isLessThan(6 * 60);
    }

    @Test
    void takesAllOptions() {
        Arguments arguments = ArgumentParser.parse(
                "--rounds",
                "3",
                "--seconds",
                "0.5",
                "--contenders",
                "redisson,raw-jedis",
                "--shapes",
                "own-32",
                "--redis",
                "redis://example:1234",
                "--output",
                "here",
                "own-1");
        assertThat(arguments.effort().rounds()).isEqualTo(3);
        assertThat(arguments.effort().measured()).isEqualTo(Duration.ofMillis(500));
        assertThat(arguments.effort().warmUp()).isEqualTo(Duration.ofMillis(500));
        assertThat(arguments.entrants()).containsExactly(Entrant.RAW_JEDIS, Entrant.REDISSON);
        assertThat(arguments.shapes()).extracting(Shape::id).containsExactly("own-1", "own-32");
        assertThat(arguments.redis()).contains("redis://example:1234");
        assertThat(arguments.output()).isEqualTo(Path.of("here"));
    }

    @Test
    void anOptionOverrulesQuickWhereverItStands() {
        assertThat(ArgumentParser.parse("--rounds", "7", "--quick").effort().rounds())
                .isEqualTo(7);
    }

    @Test
    void otherTasks() {
        assertThat(ArgumentParser.parse("--jmh").task()).isEqualTo(Arguments.Task.JMH);
        assertThat(ArgumentParser.parse("--help").task()).isEqualTo(Arguments.Task.HELP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "101", "-1", "many", "1.5", ""})
    void refusesRounds(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentParser.parse("--rounds", value))
                .withMessage("--rounds " + value + ": must be a whole number from 1 to 100");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.09", "601", "NaN", "long", ""})
    void refusesSeconds(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentParser.parse("--seconds", value))
                .withMessage("--seconds " + value + ": must be a number from 0.1 to 600");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "rediss://host", "redis://", "redis://:secret@host", "redis://host/2", "redis://a b"
            })
    void refusesServers(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentParser.parse("--redis", value))
                .withMessageContaining("must be redis://host or redis://host:port");
    }

    @ParameterizedTest
    @CsvSource({
        "--fast, option \"--fast\": there is no such option",
        "--rounds, option \"--rounds\": needs a value",
        "own-2, shape \"own-2\": must be one of own-1",
    })
    void refusesWhatItDoesNotKnow(String word, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentParser.parse(word))
                .withMessageStartingWith(message);
    }

    @Test
    void refusesAnUnknownContender() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentParser.parse("--contenders", "redisson,zookeeper"))
                .withMessageStartingWith(
                        "contender \"zookeeper\": must be one of raw-jedis, raw-lettuce, keyhold-jedis,");
    }
}
