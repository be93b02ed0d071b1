package io.keyhold.tests.stress;

import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process with a client of its own, whose threads take permits of one semaphore. */
final class PermitJvm implements AutoCloseable {

    /** What all processes of a test have in common. */
    record Shared(Setup setup, String uri, String key, int permits, Duration lease) {

        /** Returns when it is connected. The name is also its client's name. */
        PermitJvm start(String name) throws InterruptedException {
            ChildJvm process = ChildJvm.start(
                    name,
                    PermitProgram.class,
                    setup.name(),
                    uri,
                    name,
                    key,
                    Integer.toString(permits),
                    Long.toString(lease.toMillis()));
            process.await("ready");
            return new PermitJvm(process);
        }
    }

    private final ChildJvm process;

    private PermitJvm(ChildJvm process) {
        this.process = process;
    }

    /** A new thread takes them, and keeps them. */
    void take(String thread, int permits) {
        process.tell("take " + thread + " " + permits);
    }

    /** The next hold that somebody here took. */
    Hold awaitTook() throws InterruptedException {
        return Hold.read(process.await("took"));
    }

    /** What the thread took is released; returns when it is. */
    void give(String thread) throws InterruptedException {
        process.tell("give " + thread);
        process.await("gave " + thread + " true");
    }

    /** A new thread takes so many permits so many times, and releases them at once. */
    void pass(String thread, int permits, int times) {
        process.tell("pass " + thread + " " + permits + " " + times);
    }

    /** The next holds of those that pass. */
    List<Hold> awaitPassed(int count) throws InterruptedException {
        List<Hold> holds = new ArrayList<>();
        while (holds.size() < count) {
            holds.add(Hold.read(process.await("passed")));
        }
        return holds;
    }

    /** Returns when it is dead, and the server has heard of it: the kernel closes a dead process's sockets. */
    void kill(Console console) throws InterruptedException {
        process.kill();
        while (console.connectionsNamed(process.name()) > 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
