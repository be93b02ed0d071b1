package io.keyhold.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The program. */
public final class Main {

    private Main() {}

    /** Runs a command and ends with its {@link ExitCode}. */
    public static void main(String... arguments) {
        int exitCode = guardedRun(arguments);
        Front.connect().ifPresent(front -> front.say("exit", Integer.toString(exitCode)));
        System.exit(exitCode);
    }

    /** The launcher must hear of the end, whatever it is. */
    private static int guardedRun(String... arguments) {
        try {
            return run(arguments);
        } catch (Error failure) {
            Diagnostics.error("a bug in keyhold, or no memory: " + failure, failure);
            return ExitCode.INTERNAL;
        }
    }

    static int run(String... arguments) {
        // Scripts ask for it often enough to save them the reading of the command line.
        if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
            System.out.println(version());
            return ExitCode.OK;
        }
        List<String> words = Arrays.asList(arguments);
        if (!words.isEmpty() && words.get(0).equals("run")) {
            WarmUp.start();
            Optional<QuickRun> quick = QuickRun.read(words.subList(1, words.size()));
            if (quick.isPresent()) {
                return Failures.guarded(quick.get()::execute);
            }
        }
        Supplier<Object> wanted = arguments.length == 0 ? null : Commands.all().get(arguments[0]);
        if (wanted == null) {
            return whole().execute(arguments);
        }
        // Only the command that is asked for is set up, because each one more takes milliseconds.
        CommandLine command = new CommandLine(wanted.get()).setCommandName("keyhold " + arguments[0]);
        return configured(command).execute(Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    /** The whole command line, with every command. */
    static CommandLine whole() {
        CommandLine root = new CommandLine(new RootCommand());
        Commands.all().forEach((name, command) -> root.addSubcommand(name, command.get()));
        return configured(root);
    }

    private static CommandLine configured(CommandLine command) {
        command.getCommandSpec().versionProvider(() -> new String[] {version()});
        return command.setExpandAtFiles(false) // A key may begin with @, and is no file.
                .setColorScheme(CommandLine.Help.defaultColorScheme(Terminal.colours() ? Ansi.ON : Ansi.OFF))
                .setParameterExceptionHandler(Failures::usage)
                .setExecutionExceptionHandler(Failures::execution);
    }

    /** Name and version, as {@code --version} shows them. */
    static String version() {
        return "keyhold " + Resources.text("version.txt").strip();
    }
}
