package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerFinderTest {
    @TempDir
    private Path temporary;

    @Test
    void usesServerOfVariable() throws Exception {
        Path named = executable(temporary.resolve("my-redis"));
        Path installed = executable(temporary.resolve("bin/redis-server"));
        assertThat(find(Map.of("KEYHOLD_REDIS_SERVER", named.toString(), "PATH", parent(installed))))
                .isEqualTo(named);
    }

    @Test
    void namesUnusableValueOfVariable() throws Exception {
        Path plain = Files.createFile(temporary.resolve("readme.txt"));
        for (Path wrong : List.of(plain, temporary, temporary.resolve("missing"))) {
            assertThatThrownBy(() -> find(Map.of("KEYHOLD_REDIS_SERVER", wrong.toString())))
                    .isInstanceOf(EmbeddedRedisException.class)
                    .hasMessageStartingWith("KEYHOLD_REDIS_SERVER=" + wrong + ": must name an executable file");
        }
    }

    @Test
    void searchesPathInOrder() throws Exception {
        Path first = executable(temporary.resolve("first/redis-server"));
        Path second = executable(temporary.resolve("second/redis-server"));
        String path = temporary.resolve("missing") + "::" + parent(first) + ":" + parent(second);
        assertThat(find(Map.of("KEYHOLD_REDIS_SERVER", "", "PATH", path))).isEqualTo(first);
    }

    @Test
    void usesValkeyWithoutRedis() throws Exception {
        Path valkey = executable(temporary.resolve("first/valkey-server"));
        Path redis = executable(temporary.resolve("second/redis-server"));
        assertThat(find(Map.of("PATH", parent(valkey)))).isEqualTo(valkey);
        assertThat(find(Map.of("PATH", parent(valkey) + ":" + parent(redis)))).isEqualTo(redis);
    }

    @Test
    void usesBundledServerOtherwise() throws Exception {
        HostEnvironment here = HostEnvironment.current();
        HostEnvironment bare = new HostEnvironment(
                Map.of("PATH", ""), here.operatingSystem(), here.architecture(), temporary.toString());
        Path bundled = new ServerFinder(bare).find();
        assertThat(bundled).startsWith(temporary.resolve(".cache/keyhold"));
        try (EmbeddedRedis redis = EmbeddedRedis.builder().executable(bundled).start()) {
            assertThat(RawRedis.ask(redis, "INFO", "server").get(0)).contains("redis_version:7.0.15\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux-amd64",
        "Linux, aarch64, linux-arm64",
        "Linux, i386, linux-386",
        "Mac OS X, x86_64, darwin-amd64",
        "Mac OS X, aarch64, darwin-arm64"
    })
    void knowsBundledServerOfEachPlatform(String operatingSystem, String architecture, String ending) {
        Path bundled = new ServerFinder(
                        new HostEnvironment(Map.of(), operatingSystem, architecture, temporary.toString()))
                .find();
        assertThat(bundled).isExecutable().hasFileName("redis-server-7.0.15-" + ending);
    }

    @ParameterizedTest
    @CsvSource({"Windows 11, amd64", "Linux, riscv64", "Mac OS X, ppc", "Darwin-like, arm64"})
    void otherPlatformsGetInstructions(String operatingSystem, String architecture) {
        HostEnvironment host = new HostEnvironment(Map.of(), operatingSystem, architecture, temporary.toString());
        assertThatThrownBy(new ServerFinder(host)::find)
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("none is bundled for " + operatingSystem + " on " + architecture)
                .hasMessageContaining("set KEYHOLD_REDIS_SERVER to the path of a server");
    }

    private Path find(Map<String, String> variables) {
        return new ServerFinder(new HostEnvironment(variables, "Plan 9", "mips", "?")).find();
    }

    private static String parent(Path file) {
        return String.valueOf(file.getParent());
    }

    private static Path executable(Path file) throws Exception {
        Files.createDirectories(Path.of(parent(file)));
        return Files.setPosixFilePermissions(Files.createFile(file), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
