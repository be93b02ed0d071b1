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
 * Runs the launcher as a user does, in its own process. Uses the jar of this build and its own directory, so that tests do not
 * touch the private Redis server of the user.
 */
final class Launcher {

    /** Variables of the caller that select a server, or make Java print to standard error. */
    private static final List<String> REMOVED =
            List.of("KEYHOLD_REDIS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

    private final Path home;
    private final Map<String, String> environment = new HashMap<>();

    private Launcher(Path home) {
        this.home = home;
    }

    /** Returns a launcher with this directory, which uses the private Redis server. */
    static Launcher in(Path home) {
        return new Launcher(home);
    }

    /** Uses this server, or these, with long timeouts unless the URI sets others. */
    Launcher on(String uris) {
        return with("KEYHOLD_REDIS", LongTimeouts.of(uris));
    }

    /** Sets an environment variable. */
    Launcher with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Starts the command with empty standard input. */
    Call start(String... arguments) {
        return start(Path.of("/dev/null"), arguments);
    }

    /** Starts the command with this file as standard input. */
    Call start(Path input, String... arguments) {
        List<String> command = new ArrayList<>(List.of(script().toString()));
        command.addAll(Arrays.asList(arguments));
        return process(input, command);
    }

    /** Runs the command and waits for its end. */
    Result run(String... arguments) {
        return start(arguments).result();
    }

    /** Runs a bash script, in which $KEYHOLD is the command, and waits for its end. */
    Result bash(String script) {
        return process(Path.of("/dev/null"), List.of("bash", "-c", script)).result();
    }

    private Call process(Path input, List<String> command) {
        try {
            Files.createDirectories(home);
            Path output = Files.createTempFile(home, "output", ".txt");
            Path error = Files.createTempFile(home, "error", ".txt");
            List<String> full = new ArrayList<>(Signals.withDefaultSignals());
            full.addAll(command);
            ProcessBuilder builder = new ProcessBuilder(full)
                    .redirectInput(input.toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(error.toFile());
            Map<String, String> variables = builder.environment();
            clean(variables);
            variables.putAll(variables());
            return new Call(builder.start(), output, error);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the environment variables of the command. */
    Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>(Map.of(
                "KEYHOLD", script().toString(),
                "KEYHOLD_HOME", home.toString(),
                "KEYHOLD_JAR", property("keyhold.cli.jar")));
        variables.putAll(environment);
        return variables;
    }

    /** Removes variables of the caller that would change the test. */
    static void clean(Map<String, String> variables) {
        variables.keySet().removeAll(REMOVED);
    }

    private static Path script() {
        return Path.of(property("keyhold.root"), "keyhold");
    }

    private static String property(String name) {
        return Objects.requireNonNull(
                System.getProperty(name), "the system property " + name + ", which the build sets");
    }

    /** A started command. */
    record Call(Process process, Path output, Path error) {

        /** Waits for its end. */
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

        /** Returns its standard output so far. */
        String outputSoFar() {
            return text(output);
        }

        /** Returns its standard error so far. */
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
     * The result of a command.
     *
     * @param exitCode 128 plus the signal number if a signal ended it
     * @param output standard output
     * @param error standard error
     */
    record Result(int exitCode, String output, String error) {}
}
