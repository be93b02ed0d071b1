package io.keyhold.cli;

import io.keyhold.KeyholdClosedException;
import io.keyhold.LeaseLostException;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.WrongKindException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Turns an exception into one line on standard error and an exit code. Not lambdas: the class-data archive would leave out the old
 * interfaces of picocli that they implement.
 */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {

    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandSpec command = failure.getCommandLine().getCommandSpec();
        Diagnostics.error(
                mistake(failure, command) + " (" + command.qualifiedName() + " --help shows the usage)", failure);
        return ExitCode.USAGE;
    }

    private static String mistake(ParameterException failure, CommandSpec command) {
        if (failure instanceof UnmatchedArgumentException unmatched) {
            if (!command.subcommands().isEmpty() && !unmatched.isUnknownOption()) {
                return "unknown command '" + unmatched.getUnmatched().get(0) + "'" + suggestion(unmatched);
            }
        }
        return String.valueOf(failure.getMessage());
    }

    private static String suggestion(UnmatchedArgumentException unmatched) {
        List<String> alike = unmatched.getSuggestions();
        return alike.isEmpty() ? "" : ": did you mean '" + alike.get(0) + "'?";
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof KeyholdClosedException) {
            return ExitCode.NO; // The launcher has ended, and the request is withdrawn.
        }
        Diagnostics.error(message(failure), failure);
        return exitCode(failure);
    }

    private static String message(Exception failure) {
        String message = failure.getMessage();
        if (exitCode(failure) == ExitCode.INTERNAL) {
            return "a bug in keyhold: " + failure + "; --verbose prints the stack trace";
        }
        return message == null ? failure.toString() : message;
    }

    private static int exitCode(Exception failure) {
        if (failure instanceof CliException known) {
            return known.exitCode();
        }
        if (failure instanceof StoreUnavailableException || failure instanceof StoreRefusedException) {
            return ExitCode.UNREACHABLE;
        }
        if (failure instanceof LeaseLostException) {
            return ExitCode.LOST;
        }
        if (failure instanceof IllegalArgumentException
                || failure instanceof WrongKindException
                || isUnsupported(failure)) {
            return ExitCode.USAGE;
        }
        return ExitCode.INTERNAL;
    }

    /** Whether a quorum refused this. Its exceptions have a message; those of the JDK's collections have none, and are bugs. */
    private static boolean isUnsupported(Exception failure) {
        return failure instanceof UnsupportedOperationException && failure.getMessage() != null;
    }
}
