package io.keyhold.tests.stress;

import io.keyhold.tests.Setup;
import java.util.ArrayList;
import java.util.List;

/** A process with a client of its own, whose threads take one lock. */
final class LockJvm implements AutoCloseable {

    private final ChildJvm process;

    private LockJvm(ChildJvm process) {
        this.process = process;
    }

    /** Returns when it is connected. The name is also its client's name. */
    static LockJvm start(String name, Setup setup, String uri, String key, Terms terms) throws InterruptedException {
        ChildJvm process = ChildJvm.start(name, LockProgram.class, setup.name(), uri, name, key, terms.written());
        process.await("ready");
        return new LockJvm(process);
    }

    String name() {
        return process.name();
    }

    /** A new thread takes the lock once, and releases it at once. */
    void pass(String thread) {
        pass(thread, 1, 0);
    }

    /** A new thread takes the lock so many times, and holds it for so long each time. */
    void pass(String thread, int times, long holdMillis) {
        process.tell("pass " + thread + " " + times + " " + holdMillis);
    }

    /** Returns when exactly so many threads sleep. */
    void awaitWaiting(int threads) throws InterruptedException {
        process.tell("waiting " + threads);
        process.await("waiting");
    }

    /** The next holds that it tells of. */
    List<Hold> awaitPassed(int count) throws InterruptedException {
        List<Hold> holds = new ArrayList<>();
        while (holds.size() < count) {
            holds.add(Hold.read(process.await("passed")));
        }
        return holds;
    }

    void kill() throws InterruptedException {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }
}
