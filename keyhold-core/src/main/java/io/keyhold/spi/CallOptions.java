package io.keyhold.spi;

import java.util.Objects;

/**
 * How a call is made.
 *
 * @param mode which thread waits for the reply
 * @param lane which other calls it may have to wait for
 * @param sending runs immediately before the command is written to its connection, on the thread that writes it, so that
 *     time spent in the client's own queues can be told from time in which the server may execute the command. Must
 *     neither block nor throw. Does not run if the command is not sent
 */
public record CallOptions(CallMode mode, CallLane lane, Runnable sending) {

    /** Rejects null. */
    public CallOptions {
        Objects.requireNonNull(mode, "mode must not be null");
        Objects.requireNonNull(lane, "lane must not be null");
        Objects.requireNonNull(sending, "sending must not be null");
    }

    /** {@return the options of an ordinary request} */
    public static CallOptions of(CallMode mode) {
        return of(mode, CallLane.REQUEST);
    }

    /** {@return the options of a call in this lane} */
    public static CallOptions of(CallMode mode, CallLane lane) {
        return new CallOptions(mode, lane, () -> {});
    }
}
