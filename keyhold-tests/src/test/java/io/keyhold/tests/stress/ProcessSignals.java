package io.keyhold.tests.stress;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Stops and resumes a process: what a long garbage collection looks like from outside. */
final class ProcessSignals {

    private ProcessSignals() {}

    static void stop(ChildJvm process) throws InterruptedException {
        send("STOP", process);
    }

    static void resume(ChildJvm process) throws InterruptedException {
        send("CONT", process);
    }

    private static void send(String signal, ChildJvm process) throws InterruptedException {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
