package io.keyhold.testkit;

import java.io.IOException;

/** What one direction of a connection does with what has arrived. Called by one thread, in the order of arrival. */
interface Delivery {
    void data(byte[] data, long arrivedNanos) throws IOException, InterruptedException;

    AfterEnd end(long arrivedNanos) throws IOException, InterruptedException;

    /** What becomes of the connection when one direction has ended. */
    enum AfterEnd {
        KEEP,
        CLOSE,
        CUT
    }
}
