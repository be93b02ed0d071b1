package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedRedisBuilderTest {
    private final EmbeddedRedisBuilder builder = EmbeddedRedis.builder();

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536, Integer.MIN_VALUE})
    void refusesImpossiblePort(int port) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.port(port))
                .withMessage("port " + port + ": must be from 1 to 65535, or 0 for a free one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "#save", "two words", "max\nmemory", "-save"})
    void refusesBadDirectiveName(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.option(name, "1"))
                .withMessageContaining("option name \"" + name + "\": must be a redis.conf directive");
    }

    @ParameterizedTest
    @ValueSource(strings = {"one\ntwo", "one\rtwo", "one\0two"})
    void refusesMultilineValue(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.option("requirepass", "fine", value))
                .withMessageContaining("option \"requirepass\": value \"" + value + "\" must not contain a line break");
    }

    @Test
    void refusesDirectiveWithoutValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.option("save"))
                .withMessageContaining("option \"save\": needs at least one value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"port", "PORT", "dir", "daemonize"})
    void refusesReservedDirective(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.option(name, "1"))
                .withMessageContaining("option \"" + name + "\": cannot be set here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT1H0.000000001S"})
    void refusesTimeoutOutOfRange(Duration timeout) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.startTimeout(timeout))
                .withMessageContaining("startTimeout " + timeout + ": must be more than zero and at most PT1H");
    }

    @Test
    void refusesUnusableFiles(@TempDir Path directory) throws Exception {
        Path file = Files.createFile(directory.resolve("plain.txt"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.executable(file))
                .withMessage("executable " + file + ": must be an executable file");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.executable(directory))
                .withMessage("executable " + directory + ": must be an executable file");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.directory(file))
                .withMessage("directory " + file + ": is not a directory");
    }
}
