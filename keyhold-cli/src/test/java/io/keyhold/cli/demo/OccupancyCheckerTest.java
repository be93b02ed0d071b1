package io.keyhold.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OccupancyCheckerTest {

    @Test
    void hasOneSlotPerPermit(@TempDir Path folder) throws IOException {
        try (OccupancyChecker checker = new OccupancyChecker(folder, Resource.SEMAPHORE)) {
            FileLock first = checker.occupy().orElseThrow();
            assertThat(checker.occupy()).isPresent();
            assertThat(checker.occupy()).isEmpty();
            first.release();
            assertThat(checker.occupy()).isPresent();
        }
    }
}
