package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutableCacheTest {
    private static final String RESOURCE = "redis-server-7.0.15-linux-amd64";

    @TempDir
    private Path temporary;

    private final URL resource =
            Objects.requireNonNull(getClass().getClassLoader().getResource(RESOURCE));

    @Test
    void copiesOnceAndRepairsDamagedCopy() throws Exception {
        Path file = ExecutableCache.file(resource, temporary.resolve("cache/server"));
        Object inode = Files.getAttribute(file, "unix:ino");
        long size = Files.size(file);
        ExecutableCache.file(resource, file);
        assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(inode);

        Files.writeString(file, "half");
        assertThat(ExecutableCache.file(resource, file)).hasSize(size);
    }

    /** As several processes would, which do not see each other's locks. */
    @RepeatedTest(5)
    void copyIsAtomic() throws Exception {
        Path file = temporary.resolve("server");
        List<CompletableFuture<Long>> sizes = IntStream.range(0, 8)
                .mapToObj(
                        each -> CompletableFuture.supplyAsync(() -> sizeOfCopy(file), task -> new Thread(task).start()))
                .toList();
        CompletableFuture.allOf(sizes.toArray(CompletableFuture<?>[]::new)).join();
        assertThat(sizes.stream().map(CompletableFuture::join).distinct()).containsExactly(Files.size(file));
        try (Stream<Path> files = Files.list(temporary)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void copiesElsewhereWhenCacheIsReadOnly() throws Exception {
        Path blocked = Files.createFile(temporary.resolve("a-file-where-a-directory-should-be"));
        HostEnvironment host = new HostEnvironment(Map.of(), "Linux", "amd64", blocked.toString());
        Path bundled = new ServerFinder(host).find();
        assertThat(bundled).isExecutable().hasFileName(RESOURCE);
        assertThat(new ServerFinder(host).find()).isEqualTo(bundled);
    }

    @Test
    void copiesElsewhereWithoutHome() {
        Path bundled = new ServerFinder(new HostEnvironment(Map.of(), "Linux", "amd64", "?")).find();
        assertThat(bundled).isAbsolute().isExecutable().hasFileName(RESOURCE);
    }

    private long sizeOfCopy(Path file) {
        try {
            ExecutableCache.copyUnlessComplete(resource, file);
            return Files.size(file);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
