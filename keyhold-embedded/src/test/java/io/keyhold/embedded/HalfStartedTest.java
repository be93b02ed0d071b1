package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topology that does not start completely leaves no process and no directory. */
class HalfStartedTest {
    @TempDir
    private Path directory;

    @Test
    void replicas() throws Exception {
        EmbeddedReplicasBuilder builder = EmbeddedReplicas.builder().executable(serverThatFails("3", "none"));
        assertNothingIsLeft(builder::start, 2);
    }

    @Test
    void replicasThatAreRefusedByTheirMaster() throws Exception {
        EmbeddedReplicasBuilder builder = EmbeddedReplicas.builder()
                .executable(serverThatFails("none", "none"))
                .option("rename-command", "PSYNC", "")
                .option("rename-command", "SYNC", "")
                .timeout(Duration.ofSeconds(10)); // Also the time that each server has to start.
        assertThatThrownBy(builder::start)
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("replication: not reached within PT10S: the link of");
        assertNothingIsLeft(3);
    }

    @Test
    void sentinel() throws Exception {
        EmbeddedSentinelBuilder builder = EmbeddedSentinel.builder().executable(serverThatFails("none", "--sentinel"));
        assertNothingIsLeft(builder::start, 3);
    }

    @Test
    void cluster() throws Exception {
        EmbeddedClusterBuilder builder = EmbeddedCluster.builder().executable(serverThatFails("5", "none"));
        assertNothingIsLeft(builder::start, 4);
    }

    /** Writes a program that becomes the server, except at the given run or with the given argument. */
    private Path serverThatFails(String run, String argument) throws IOException {
        Path program = directory.resolve("server");
        Files.writeString(program, """
                #!/bin/sh
                case "$(cat runs 2>/dev/null | wc -l) $2" in
                %s\\ *|*\\ %s) echo "not this time"; exit 1 ;;
                esac
                echo "$$ ${1%%/*}" >> runs
                exec %s "$@"
                """.replace("runs", directory.resolve("runs").toString()).formatted(
                run.equals("none") ? "none" : Integer.toString(Integer.parseInt(run) - 1),
                argument,
                EmbeddedRedis.findExecutable()));
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private void assertNothingIsLeft(Runnable start, int started) throws IOException {
        assertThatThrownBy(start::run)
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("ended with status 1")
                .hasMessageContaining("not this time");
        assertNothingIsLeft(started);
    }

    private void assertNothingIsLeft(int started) throws IOException {
        List<String> runs = Files.readAllLines(directory.resolve("runs"));
        assertThat(runs).hasSize(started);
        for (String run : runs) {
            int space = run.indexOf(' ');
            assertThat(ProcessHandle.of(Long.parseLong(run.substring(0, space))))
                    .isEmpty();
            assertThat(Path.of(run.substring(space + 1))).doesNotExist();
        }
    }
}
