package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the files of a user are kept. */
class HostEnvironmentTest {

    @ParameterizedTest
    @CsvSource({
        "/caches, /home, /java, /caches/keyhold",
        "/caches, ?, ?, /caches/keyhold",
        "'', /home, /java, /home/.cache/keyhold",
        "caches, /home, /java, /home/.cache/keyhold",
        "'', '', /java, /java/.cache/keyhold",
        "caches, home, /java, /java/.cache/keyhold",
    })
    void firstAbsolutePathCounts(String caches, String home, String known, Path expected) {
        assertThat(cache(Map.of("XDG_CACHE_HOME", caches, "HOME", home), known)).contains(expected);
    }

    @Test
    void variablesThatAreNotSet() {
        assertThat(cache(Map.of(), "/java")).contains(Path.of("/java/.cache/keyhold"));
        assertThat(cache(Map.of("HOME", "/home"), "?")).contains(Path.of("/home/.cache/keyhold"));
    }

    /** As Java says it of a user whom the system does not know. */
    @ParameterizedTest
    @CsvSource({"'', ''", "caches, home"})
    void noCacheWithoutHome(String caches, String home) {
        assertThat(cache(Map.of("XDG_CACHE_HOME", caches, "HOME", home), "?")).isEmpty();
    }

    private static Optional<Path> cache(Map<String, String> variables, String home) {
        return new HostEnvironment(variables, "Linux", "amd64", home).cache();
    }
}
