package io.keyhold.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Sends signals that Java itself does not. */
final class Signals {

    private Signals() {}

    /**
     * The beginning of a command that can hear of QUIT: a JVM keeps that signal for itself, and what it starts has it blocked,
     * which no shell can change.
     */
    static List<String> hearing() {
        return List.of("perl", "-MPOSIX", "-e", "sigprocmask(SIG_UNBLOCK, POSIX::SigSet->new(SIGQUIT)); exec @ARGV");
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
