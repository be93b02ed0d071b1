package io.keyhold.tests.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.tests.modules.KeyholdModule;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The packages from {@code package.json} in {@code target/interop}, with the worker beside them: fetched with npm, once,
 * and kept until the file changes or the directory is cleaned.
 */
final class NodeInstallation {

    private static final int NPM_MINUTES = 5;

    private final Path directory = KeyholdModule.root().resolve("keyhold-tests/target/interop");

    /** Returns the program of that name, from the directories of PATH. */
    static Optional<Path> find(String program) {
        return Arrays.stream(
                        Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
                .map(entry -> Path.of(entry, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Installs the packages, and returns the file of the worker. */
    Path ready() throws IOException, InterruptedException {
        Files.createDirectories(directory);
        String wanted = resource("package.json");
        Path installed = directory.resolve("installed.json");
        if (!Files.exists(installed) || !Files.readString(installed).equals(wanted)) {
            Files.writeString(directory.resolve("package.json"), wanted);
            install();
            Files.writeString(installed, wanted);
        }
        return Files.writeString(directory.resolve("worker.js"), resource("worker.js"));
    }

    private void install() throws IOException, InterruptedException {
        Path log = directory.resolve("npm.log");
        Process npm = new ProcessBuilder("npm", "install", "--no-package-lock", "--no-audit", "--no-fund")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!npm.waitFor(NPM_MINUTES, TimeUnit.MINUTES) || npm.exitValue() != 0) {
                throw new AssertionError("npm install failed in " + directory + ":\n" + Files.readString(log));
            }
        } finally {
            npm.destroyForcibly();
        }
    }

    private static String resource(String name) {
        try (InputStream text = Objects.requireNonNull(
                NodeInstallation.class.getResourceAsStream("/interop/" + name), "the resource interop/" + name)) {
            return new String(text.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
