package io.keyhold.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Sends signals that Java itself does not. */
final class Signals {

    private Signals() {}

    /**
     * The beginning of a command that can hear of every signal: a JVM keeps QUIT for itself, and what it starts has it blocked;
     * and whoever started these tests may have told them to ignore some. No shell can change either.
     */
    static List<String> hearing() {
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
