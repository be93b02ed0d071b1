package io.keyhold.benchmarks.contender;

/** A client of one lock library, opened as its documentation tells an ordinary user to. */
public interface Contender extends AutoCloseable {

    /** A handle for one thread, which acquires and releases in turn. */
    ContenderLock lock(String key);

    @Override
    void close();
}
