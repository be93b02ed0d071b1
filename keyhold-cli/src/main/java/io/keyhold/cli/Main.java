package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The program. */
public final class Main {

    private Main() {}

    /** Runs a command and ends with its {@link ExitCode}. */
    public static void main(String... arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        // Scripts ask for it often enough to save them the reading of the command line.
        if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
            System.out.println(version());
            return ExitCode.OK;
        }
        return commandLine(arguments).execute(arguments);
    }

    /** Knows only the command that is asked for, as far as that is plain: each one more takes milliseconds to set up. */
    private static CommandLine commandLine(String... arguments) {
        Map<String, Supplier<Object>> commands = Commands.all();
        Supplier<Object> wanted = arguments.length == 0 ? null : commands.get(arguments[0]);
        CommandLine root = new CommandLine(new RootCommand());
        if (wanted != null) {
            root.addSubcommand(arguments[0], wanted.get());
        } else {
            commands.forEach((name, command) -> root.addSubcommand(name, command.get()));
        }
        return configured(root);
    }

    /** The whole command line, with every command. */
    static CommandLine whole() {
        return commandLine();
    }

    private static CommandLine configured(CommandLine root) {
        root.getCommandSpec().versionProvider(() -> new String[] {version()});
        return root.setColorScheme(CommandLine.Help.defaultColorScheme(Terminal.colours() ? Ansi.ON : Ansi.OFF))
                .setParameterExceptionHandler(Failures::usage)
                .setExecutionExceptionHandler(Failures::execution);
    }

    /** Name and version, as {@code --version} shows them. */
    static String version() {
        try (InputStream text = Objects.requireNonNull(Main.class.getResourceAsStream("version.txt"), "version.txt")) {
            return "keyhold " + new String(text.readAllBytes(), UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
