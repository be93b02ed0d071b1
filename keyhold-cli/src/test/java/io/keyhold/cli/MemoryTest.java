package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The memory of the lease holder, of which a machine may run many. */
@Tag("full")
@EndToEnd
@EnabledOnOs(OS.LINUX)
final class MemoryTest {

    private static final int MOST_KILOBYTES = 40_000;

    @TempDir
    private Path home = Path.of("");

    @Test
    void leaseHolderIsSmallAfterManyRenewals() throws IOException {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Redis console = new Redis(server.uri())) {
            Launcher keyhold = Launcher.in(home).on(server.uri());
            Launcher.Call call = keyhold.start(
                    "run", "x", "--lease", "1s", "--on-lost", "warn", "--", "sh", "-c", "echo up; exec sleep 1000");
            Await.until(() -> call.outputSoFar().contains("up"));
            long holder = leaseHolder(call.process());
            long renewals = calls(console);
            // On a busy machine so short a lease may be lost; the process stays.
            Await.until(
                    () -> calls(console) - renewals > 20 || call.errorSoFar().contains("keyhold: "));
            assertThat(proportionalKilobytes(holder)).isLessThan(MOST_KILOBYTES);
            Signals.send("TERM", call.process().pid());
            call.result();
        }
    }

    /** Not the process that the lock's key names: on a busy machine so short a lease may be lost at once. */
    private static long leaseHolder(Process launcher) {
        return launcher.descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/java"))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    /** The number of scripts that the server has run. */
    private static long calls(Redis console) {
        return console.call("INFO", "commandstats")
                .toString()
                .lines()
                .filter(line -> line.startsWith("cmdstat_evalsha:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("cmdstat_evalsha:calls=([0-9]+).*", "$1")))
                .sum();
    }

    private static long proportionalKilobytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "smaps_rollup")).stream()
                .filter(line -> line.startsWith("Pss:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }
}
