package io.keyhold.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoFolderTest {

    @Test
    void removesTheDirectoryWithItsFiles(@TempDir Path temporary) throws IOException {
        Path folder = Files.createDirectory(temporary.resolve("demo"));
        Files.createFile(folder.resolve("events"));
        Demo.remove(folder);
        assertThat(folder).doesNotExist();
        Demo.remove(folder);
    }

    /** As if a worker had created a directory at the last moment. */
    @Test
    void ignoresWhatItCannotRemove(@TempDir Path temporary) throws IOException {
        Path folder =
                Files.createDirectories(temporary.resolve("demo/late/entry")).getParent();
        Demo.remove(temporary.resolve("demo"));
        assertThat(folder).exists();
    }
}
