package io.keyhold.cli;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.LeaseLostException;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.WrongKindException;
import io.keyhold.cli.view.UnwrittenException;
import io.keyhold.embedded.EmbeddedRedisException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns what was thrown into one line and an exit code. */
final class Failures {

    private Failures() {}

    /** The command line could not be read. */
    static int usage(ParameterException failure, String[] arguments) {
        CommandSpec command = failure.getCommandLine().getCommandSpec();
        Diagnostics.error(
                mistake(failure, command, List.of(arguments)) + " (" + command.qualifiedName() + " --help shows how)",
                failure);
        return ExitCode.USAGE;
    }

    private static String mistake(ParameterException failure, CommandSpec command, List<String> arguments) {
        if (failure instanceof UnmatchedArgumentException unmatched) {
            if (!command.subcommands().isEmpty() && !unmatched.isUnknownOption()) {
                return "there is no command '" + unmatched.getUnmatched().get(0) + "'" + suggestion(unmatched);
            }
            if (command.userObject() instanceof RunCommand && !arguments.contains("--")) {
                return failure.getMessage() + "; " + RunCommand.MISSING_SEPARATOR;
            }
        }
        return String.valueOf(failure.getMessage());
    }

    private static String suggestion(UnmatchedArgumentException unmatched) {
        List<String> alike = unmatched.getSuggestions();
        return alike.isEmpty() ? "" : ": did you mean '" + alike.get(0) + "'?";
    }

    /** Does it, and turns what is thrown into one line and an exit code. */
    static int guarded(Callable<Integer> work) {
        try {
            return work.call();
        } catch (Exception failure) {
            return told(failure);
        }
    }

    /** The command could not do what it was asked for. */
    static int execution(Exception failure, CommandLine command, ParseResult parsed) {
        return told(failure);
    }

    private static int told(Exception failure) {
        Diagnostics.error(message(failure), failure);
        return exitCode(failure);
    }

    private static String message(Exception failure) {
        String message = failure.getMessage();
        if (exitCode(failure) == ExitCode.INTERNAL) {
            return "a bug in keyhold: " + failure + "; --verbose shows where";
        }
        if (message == null) {
            return failure.toString();
        }
        return failure instanceof CliException ? message : OptionWords.in(message);
    }

    private static int exitCode(Exception failure) {
        if (failure instanceof CliException known) {
            return known.exitCode();
        }
        if (failure instanceof StoreUnavailableException
                || failure instanceof StoreRefusedException
                || failure instanceof EmbeddedRedisException) {
            return ExitCode.UNREACHABLE;
        }
        if (failure instanceof UnwrittenException) {
            return ExitCode.UNWRITTEN;
        }
        if (failure instanceof AcquireTimeoutException) {
            return ExitCode.TIMED_OUT;
        }
        if (failure instanceof LeaseLostException) {
            return ExitCode.LOST;
        }
        if (failure instanceof IllegalArgumentException
                || failure instanceof SemaphoreLimitException
                || failure instanceof WrongKindException
                || isBeyondTheServer(failure)) {
            return ExitCode.USAGE;
        }
        return ExitCode.INTERNAL;
    }

    /** What a quorum cannot do, it refuses with a reason; Java's own refusals have none, and are bugs. */
    private static boolean isBeyondTheServer(Exception failure) {
        return failure instanceof UnsupportedOperationException && failure.getMessage() != null;
    }
}
