package io.keyhold.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoFolderTest {

    @Test
    void isRemovedWithWhatIsInIt(@TempDir Path temporary) throws IOException {
        Path folder = Files.createDirectory(temporary.resolve("demo"));
        Files.createFile(folder.resolve("chronicle"));
        Demo.remove(folder);
        assertThat(folder).doesNotExist();
        Demo.remove(folder);
    }

    /** As if a worker had put something there in the last moment. */
    @Test
    void whatCannotBeRemovedIsLeft(@TempDir Path temporary) throws IOException {
        Path folder =
                Files.createDirectories(temporary.resolve("demo/late/comer")).getParent();
        Demo.remove(temporary.resolve("demo"));
        assertThat(folder).exists();
    }
}
