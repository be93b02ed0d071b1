package io.keyhold.cli.demo;

import java.time.Duration;
import java.util.List;

/** Where the audience sees what goes on. */
interface Stage extends AutoCloseable {

    /** What happened so far, and the lines that tell of what is new. */
    void show(History history, List<String> news);

    /** Waits a moment, and says whether the audience has had enough. */
    boolean isLeftWithin(Duration moment) throws InterruptedException;

    @Override
    void close();
}
