package io.keyhold.spi;

/** When the server last replied to any call. What is queued behind calls to which it does not reply is not waited for. */
final class LastReply {

    private volatile long nanos = System.nanoTime();

    /** Notes the last reply on a connection that is returned. A session may be returned long after it. */
    void note(PooledConnection connection) {
        long reply = connection.lastReply();
        if (reply - nanos > 0) {
            nanos = reply;
        }
    }

    /** Returns for how long there was no reply, of the time since then by {@link System#nanoTime()}. */
    long silence(long since) {
        long last = nanos;
        return System.nanoTime() - (last - since > 0 ? last : since);
    }
}
