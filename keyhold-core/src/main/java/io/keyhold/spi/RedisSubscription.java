package io.keyhold.spi;

/** A subscription to a channel. */
public interface RedisSubscription extends AutoCloseable {

    /** Ends the subscription and closes its connection. Does not wait; closing twice is harmless. */
    @Override
    void close();
}
