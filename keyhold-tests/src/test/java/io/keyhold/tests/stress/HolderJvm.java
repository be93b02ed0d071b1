package io.keyhold.tests.stress;

import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process with its own client, whose threads acquire one lock, or permits of one semaphore. */
final class HolderJvm implements AutoCloseable {

    private final ChildJvm process;

    private HolderJvm(ChildJvm process) {
        this.process = process;
    }

    /** Returns when it is connected. The name is also the name of its client. */
    static HolderJvm start(String name, Setup setup, String uri, String key, HolderOptions terms)
            throws InterruptedException {
        ChildJvm process = ChildJvm.start(name, HolderProgram.class, setup.name(), uri, name, key, terms.written());
        process.await("ready");
        return new HolderJvm(process);
    }

    String name() {
        return process.name();
    }

    /** A new thread takes the lock or a permit once, and releases it at once. */
    void pass(String thread) {
        pass(thread, 1, 0);
    }

    /** A new thread takes the lock or a permit this many times, and holds it for this long each time. */
    void pass(String thread, int times, long holdMillis) {
        process.tell("pass " + thread + " " + times + " " + holdMillis);
    }

    /** Returns the next holds of the threads of {@code pass}. */
    List<RecordedHold> awaitPassed(int count) throws InterruptedException {
        List<RecordedHold> holds = new ArrayList<>();
        while (holds.size() < count) {
            holds.add(RecordedHold.read(process.await("passed")));
        }
        return holds;
    }

    /** A new thread takes this many permits, and keeps them. */
    void take(String thread, int permits) {
        process.tell("take " + thread + " " + permits);
    }

    /** Returns the next hold of the threads of {@code take}. */
    RecordedHold awaitTook() throws InterruptedException {
        return RecordedHold.read(process.await("took"));
    }

    /** Releases the permits of the thread; returns when they are released. */
    void give(String thread) throws InterruptedException {
        process.tell("give " + thread);
        process.await("gave " + thread + " true");
    }

    /** Returns when exactly this many threads sleep. */
    void awaitWaiting(int threads) throws InterruptedException {
        process.tell("waiting " + threads);
        process.await("waiting");
    }

    /** Returns when it is dead and the server has noticed: the kernel closes a dead process's sockets. */
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
