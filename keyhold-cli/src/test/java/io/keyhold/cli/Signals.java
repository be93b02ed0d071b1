package io.keyhold.cli;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Sends signals that Java itself does not. */
final class Signals {

    private Signals() {}

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
