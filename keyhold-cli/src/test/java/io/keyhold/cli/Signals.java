package io.keyhold.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Sends signals to processes. */
final class Signals {

    /** As in a shell: the exit code of a command that a signal ended is this and the signal's number. */
    static final int EXIT_CODE_BASE = 128;

    private Signals() {}

    /**
     * Returns the start of a command line that runs a program with default signal handling: child processes of a JVM have QUIT
     * blocked, and the caller of the tests may ignore some signals. A shell can change neither.
     */
    static List<String> withDefaultSignals() {
        return List.of(
                "perl",
                "-MPOSIX",
                "-e",
                "sigprocmask(SIG_UNBLOCK, POSIX::SigSet->new(SIGQUIT));"
                        + " $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP QUIT USR1 ALRM); exec @ARGV");
    }

    static void send(String signal, long pid) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
