package io.keyhold.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The entry point of the command. */
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
        } catch (Error failure) {
            Diagnostics.error("a bug in keyhold, or out of memory: " + failure, failure);
            return ExitCode.INTERNAL;
        }
    }

    static int run(String... arguments) {
        // Without picocli, which takes longer to set up than the rest of this call.
        if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
            System.out.println(version());
            return ExitCode.OK;
        }
        if (arguments.length > 0 && arguments[0].equals("run")) {
            Preload.start();
            List<String> rest = Arrays.asList(arguments).subList(1, arguments.length);
            Optional<FastRunParser> parsed = FastRunParser.parse(rest);
            if (parsed.isPresent()) {
                return Failures.guarded(parsed.get()::execute);
            }
        }
        Supplier<Object> requested =
                arguments.length == 0 ? null : Commands.all().get(arguments[0]);
        if (requested == null) {
            return allCommands().execute(arguments);
        }
        // Only the requested command is set up: each one takes milliseconds.
        CommandLine command = new CommandLine(requested.get()).setCommandName("keyhold " + arguments[0]);
        return configured(command).execute(Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    /** Returns the command line with every command. */
    static CommandLine allCommands() {
        CommandLine root = new CommandLine(new RootCommand());
        Commands.all().forEach((name, command) -> root.addSubcommand(name, command.get()));
        return configured(root);
    }

    private static CommandLine configured(CommandLine command) {
        command.getCommandSpec().versionProvider(() -> new String[] {version()});
        return command.setExpandAtFiles(false) // A key may begin with @.
                .setColorScheme(CommandLine.Help.defaultColorScheme(Terminal.colours() ? Ansi.ON : Ansi.OFF))
                .setParameterExceptionHandler(Failures::usage)
                .setExecutionExceptionHandler(Failures::execution);
    }

    /** Returns name and version, as {@code --version} prints them. */
    static String version() {
        return "keyhold " + Resources.text("version.txt").strip();
    }
}
