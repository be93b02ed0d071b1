package io.keyhold.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WitnessTest {

    @Test
    void hasAsManyPlacesAsThereAre(@TempDir Path folder) throws IOException {
        try (Witness witness = new Witness(folder, Prize.SEMAPHORE)) {
            FileLock first = witness.place().orElseThrow();
            assertThat(witness.place()).isPresent();
            assertThat(witness.place()).isEmpty();
            first.release();
            assertThat(witness.place()).isPresent();
        }
    }
}
