package io.keyhold.jedis;

/** When the server last replied to any call. */
final class LastReply {

    private volatile long instant = System.nanoTime();

    void isNow() {
        instant = System.nanoTime();
    }

    /** How long the server has been silent since that instant at the earliest ({@link System#nanoTime()}). */
    long nanosOfSilence(long since) {
        long last = instant;
        return System.nanoTime() - (last - since > 0 ? last : since);
    }
}
