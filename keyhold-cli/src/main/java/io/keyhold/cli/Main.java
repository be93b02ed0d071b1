package io.keyhold.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;

/** The entry point of the command. */
public final class Main {

    /** May precede the command. The launcher has the same list. Not -c: the launcher finds its line by the distance from the end. */
    static final Set<String> OPTIONS_WITH_VALUE = Set.of(
            "--redis",
            "--cacert",
            "--cert",
            "--cert-key",
            "--longest-lease",
            "--wait",
            "--of",
            "--permits",
            "--lease",
            "--fair",
            "--label",
            "--on-lost",
            "--kill-grace",
            "--token",
            "--interval",
            "--key",
            "--port",
            "--events");

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
        // No option has one of the types for which picocli would look up converters by reflection.
        System.setProperty("picocli.converters.excludes", ".*");
        System.setProperty("picocli.ansi", Boolean.toString(Terminal.colours()));
        List<String> words = commandFirst(Arrays.asList(arguments));
        if (words.isEmpty() || !Commands.NAMES.contains(words.get(0))) {
            return configured(new RootCommand()).execute(arguments);
        }
        if (Commands.UNDER_LOCK.contains(words.get(0))) {
            Preload.start();
        }
        CliCommand command = Commands.create(words.get(0));
        List<String> rest = words.subList(1, words.size());
        if (command instanceof CommandUnderLock underLock) {
            rest = underLock.separated(rest);
        }
        return configured(command).setCommandName("keyhold " + words.get(0)).execute(rest.toArray(new String[0]));
    }

    /** Moves options in front of the command behind it. */
    private static List<String> commandFirst(List<String> arguments) {
        int first = 0;
        while (first < arguments.size() && arguments.get(first).startsWith("-")) {
            first += OPTIONS_WITH_VALUE.contains(arguments.get(first)) ? 2 : 1;
        }
        if (first == 0 || first >= arguments.size()) {
            return arguments;
        }
        List<String> words = new ArrayList<>(List.of(arguments.get(first)));
        words.addAll(arguments.subList(0, first));
        words.addAll(arguments.subList(first + 1, arguments.size()));
        return words;
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
        return "keyhold " + Resources.text("version.txt").strip();
    }
}
