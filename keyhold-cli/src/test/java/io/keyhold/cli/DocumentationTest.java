package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command in the documentation succeeds. */
@EndToEnd
final class DocumentationTest {

    private static final Path ROOT =
            Path.of(Objects.requireNonNull(System.getProperty("keyhold.root"), "keyhold.root"));

    @TempDir
    private Path home = Path.of("");

    @Test
    @Tag("full")
    void everyShellBlockRuns() throws IOException {
        List<String> blocks = shellBlocks(ROOT.resolve("docs/cli.md"));
        assertThat(blocks).hasSizeGreaterThan(3);
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher keyhold = Launcher.in(home).on(server.uri());
            for (String block : blocks) {
                Launcher.Result result = keyhold.bash(prepared(block));
                assertThat(result.exitCode()).as(block + result.error()).isZero();
                assertThat(result.error()).as(block).isEmpty();
            }
        }
    }

    @Test
    void firstCommandOfTheReadmeRuns() throws IOException {
        String block = shellBlocks(ROOT.resolve("README.md")).get(0);
        String command = block.lines().findFirst().orElseThrow();
        assertThat(command).startsWith("./keyhold run ");
        Launcher keyhold = Launcher.in(home);
        assertThat(keyhold.bash("cd '" + ROOT + "' && " + command).output()).isEqualTo("one at a time\n");
        keyhold.run("embedded", "stop");
    }

    /** Defines keyhold as a shell function, and creates the scripts that the page names. */
    private String prepared(String block) throws IOException {
        Path folder = Files.createDirectories(home.resolve("folder"));
        for (String script : List.of("report", "deploy", "train", "read", "write", "transfer")) {
            Path file =
                    Files.writeString(folder.resolve(script + ".sh"), "#!/bin/sh\n[ -n \"$KEYHOLD_FENCE\" ] || true\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return "keyhold() { \"$KEYHOLD\" \"$@\"; }\ncd '" + folder + "'\n" + block;
    }

    private static List<String> shellBlocks(Path page) throws IOException {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = null;
        for (String line : Files.readAllLines(page)) {
            if (line.equals("```sh")) {
                block = new StringBuilder();
            } else if (line.equals("```") && block != null) {
                blocks.add(block.toString());
                block = null;
            } else if (block != null) {
                block.append(line).append('\n');
            }
        }
        return blocks;
    }
}
