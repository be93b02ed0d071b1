package io.keyhold.spi;

/** A channel that is being listened to. */
public interface RedisSubscription extends AutoCloseable {

    /** Stops listening, and gives its connection up. Does not wait; closing twice is harmless. */
    @Override
    void close();
}
