package io.keyhold.tests.stress;

import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process with a client of its own, whose threads take one lock, or permits of one semaphore. */
final class HolderJvm implements AutoCloseable {

    private final ChildJvm process;

    private HolderJvm(ChildJvm process) {
        this.process = process;
    }

    /** Returns when it is connected. The name is also its client's name. */
    static HolderJvm start(String name, Setup setup, String uri, String key, Terms terms) throws InterruptedException {
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

    /** A new thread takes the lock or a permit so many times, and holds it for so long each time. */
    void pass(String thread, int times, long holdMillis) {
        process.tell("pass " + thread + " " + times + " " + holdMillis);
    }

    /** The next holds of those that pass. */
    List<Hold> awaitPassed(int count) throws InterruptedException {
        List<Hold> holds = new ArrayList<>();
        while (holds.size() < count) {
            holds.add(Hold.read(process.await("passed")));
        }
        return holds;
    }

    /** A new thread takes so many permits, and keeps them. */
    void take(String thread, int permits) {
        process.tell("take " + thread + " " + permits);
    }

    /** The next hold of those that take. */
    Hold awaitTook() throws InterruptedException {
        return Hold.read(process.await("took"));
    }

    /** What the thread took is released; returns when it is. */
    void give(String thread) throws InterruptedException {
        process.tell("give " + thread);
        process.await("gave " + thread + " true");
    }

    /** Returns when exactly so many threads sleep. */
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
