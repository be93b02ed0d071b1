package io.keyhold.cli.demo;

import java.time.Duration;
import java.util.List;

/** Shows the progress of the demo. */
interface DemoView extends AutoCloseable {

    /** Shows the events so far; the new lines describe those since the last call. */
    void show(History history, List<String> newLines);

    /** Waits for this time; returns early with true if the user quits. */
    boolean quitWithin(Duration time) throws InterruptedException;

    @Override
    void close();
}
