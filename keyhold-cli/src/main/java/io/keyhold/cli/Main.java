package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Objects;
import picocli.CommandLine;

/** The entry point of the command. The launcher puts the subcommand in front of its options. */
public final class Main {

    private Main() {}

    /** Runs a command and exits with its {@link ExitCode}. */
    public static void main(String... arguments) {
        int exitCode = guardedRun(arguments);
        LauncherChannel.open().ifPresent(launcher -> launcher.exit(exitCode));
        System.exit(exitCode);
    }

    /** Returns an exit code in every case, because the launcher waits for one. */
    private static int guardedRun(String... arguments) {
        try {
            return run(arguments);
        } catch (CliException e) {
            Diagnostics.error(String.valueOf(e.getMessage()), e);
            return e.exitCode();
        } catch (Error failure) {
            Diagnostics.error("a bug in keyhold, or out of memory: " + failure, failure);
            return ExitCode.INTERNAL;
        }
    }

    static int run(String... arguments) {
        // Without picocli, which takes longer to set up than the rest of this call.
        if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
            new Output().line(version());
            return ExitCode.OK;
        }
        // No option has one of the types for which picocli would look up converters by reflection.
        System.setProperty("picocli.converters.excludes", ".*");
        System.setProperty("picocli.ansi", Boolean.toString(Terminal.OUTPUT.hasColours()));
        if (arguments.length == 0 || !RootCommand.NAMES.contains(arguments[0])) {
            return configured(new RootCommand()).execute(arguments);
        }
        if (LauncherChannel.isOffered()) {
            Preload.start();
        }
        return configured(RootCommand.create(arguments[0]))
                .setCommandName("keyhold " + arguments[0])
                .execute(Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    private static CommandLine configured(CliCommand command) {
        Failures failures = new Failures();
        return new CommandLine(command.spec())
                .setExpandAtFiles(false) // A key may begin with @.
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    /** Returns name and version, as {@code --version} prints them. */
    static String version() {
        return "keyhold " + resource("version.txt").strip();
    }

    /** Returns the text of a file in the jar. */
    static String resource(String name) {
        try (InputStream text = Objects.requireNonNull(Main.class.getResourceAsStream(name), name)) {
            return new String(text.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + name, e);
        }
    }
}
