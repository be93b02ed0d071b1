package io.keyhold.spi;

/**
 * The reply to a command that a driver has written on the calling thread, and that no thread reads yet. A caller that asks several
 * servers writes to all of them first and then reads their replies itself, without a hop to another thread for each.
 *
 * <p>Its owner calls {@link #read}, and {@link #readInBackground} if that returned false. By one thread at a time; neither throws.
 */
public interface PendingReply {

    /**
     * Reads the reply, if it has arrived or does so within a millisecond of the command, and completes the stage of the call inside
     * this method. A failure of the connection is an outcome too.
     *
     * @return whether the stage is complete. If not, the reply has not begun to arrive
     */
    boolean read();

    /** Lets a thread of the driver wait for the reply, for as long as the command timeout permits. Returns at once. */
    void readInBackground();
}
