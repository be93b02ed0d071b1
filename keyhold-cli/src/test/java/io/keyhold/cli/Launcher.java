package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Runs the command as a user does: the script at the root of the repository, in a process of its own, with the jar that this
 * build has made and a folder of its own, so that tests neither see nor disturb what the user of this machine does with it.
 */
final class Launcher {

    /** What the caller of the tests may have set, and what would make Java talk on standard error. */
    private static final List<String> NOT_OURS =
            List.of("KEYHOLD_REDIS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

    private final Path home;
    private final Map<String, String> environment = new HashMap<>();

    static {
        buildArchive();
    }

    private Launcher(Path home) {
        this.home = home;
    }

    /**
     * The first call after the jar was made lays out its classes, for half a dozen seconds, in which all others are slow: better
     * before the tests than within one of them.
     */
    private static void buildArchive() {
        try {
            ProcessBuilder builder = new ProcessBuilder(script().toString(), "--version")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            forget(builder.environment());
            builder.environment().put("KEYHOLD_JAR", property("keyhold.cli.jar"));
            builder.start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Keeps its files in this folder, and knows no server but the one that it starts for itself. */
    static Launcher in(Path home) {
        return new Launcher(home);
    }

    /** Talks to this server, or to these; patiently, unless the URI says otherwise. */
    Launcher on(String uris) {
        return with("KEYHOLD_REDIS", PatientUri.of(uris));
    }

    /** With an environment variable. */
    Launcher with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Starts the command with nothing to read. */
    Call start(String... arguments) {
        return start(Path.of("/dev/null"), arguments);
    }

    /** Starts the command with this file to read. */
    Call start(Path input, String... arguments) {
        List<String> command = new ArrayList<>(List.of(script().toString()));
        command.addAll(Arrays.asList(arguments));
        return process(input, command);
    }

    /** Runs the command to its end. */
    Result run(String... arguments) {
        return start(arguments).result();
    }

    /** Runs a script of bash to its end; it finds the command as $KEYHOLD. */
    Result bash(String script) {
        return process(Path.of("/dev/null"), List.of("bash", "-c", script)).result();
    }

    private Call process(Path input, List<String> command) {
        try {
            Files.createDirectories(home);
            Path output = Files.createTempFile(home, "output", ".txt");
            Path error = Files.createTempFile(home, "error", ".txt");
            List<String> hearing = new ArrayList<>(Signals.hearing());
            hearing.addAll(command);
            ProcessBuilder builder = new ProcessBuilder(hearing)
                    .redirectInput(input.toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(error.toFile());
            Map<String, String> variables = builder.environment();
            forget(variables);
            variables.putAll(variables());
            return new Call(builder.start(), output, error);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The environment variables that make it so. */
    Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>(Map.of(
                "KEYHOLD", script().toString(),
                "KEYHOLD_HOME", home.toString(),
                "KEYHOLD_JAR", property("keyhold.cli.jar")));
        variables.putAll(environment);
        return variables;
    }

    /** Takes out of an environment what the caller of the tests has in it and the command must not see. */
    static void forget(Map<String, String> variables) {
        variables.keySet().removeAll(NOT_OURS);
    }

    private static Path script() {
        return Path.of(property("keyhold.root"), "keyhold");
    }

    private static String property(String name) {
        return Objects.requireNonNull(
                System.getProperty(name), "the system property " + name + ", which the build sets");
    }

    /** A command that was started. */
    record Call(Process process, Path output, Path error) {

        /** Waits for the end. */
        Result result() {
            try {
                int exitCode = process.waitFor();
                return new Result(exitCode, text(output), text(error));
            } catch (InterruptedException e) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IllegalStateException("interrupted; so far: " + text(output) + text(error), e);
            }
        }

        /** What it has written so far. */
        String outputSoFar() {
            return text(output);
        }

        /** What it has said on standard error so far. */
        String errorSoFar() {
            return text(error);
        }

        private static String text(Path file) {
            try {
                return Files.readString(file, UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * How it ended.
     *
     * @param exitCode 128 and more for a signal, as a shell says it
     * @param output standard output
     * @param error standard error
     */
    record Result(int exitCode, String output, String error) {}
}
