package io.keyhold.spi;

/**
 * Which calls compete with each other for connections and threads. However many calls of one lane wait, a call of
 * another does not wait behind them, as long as the connections are the driver's own: in a pool of the application all
 * wait alike.
 */
public enum CallLane {
    /** Everything that a user requests, above all acquires. Any number of threads may fill it. */
    REQUEST,
    /**
     * Releasing. A driver sends such a call only on a connection that was alive a moment before (10 ms in the drivers
     * of this project): one from which no reply has come for longer is asked with {@code PING} first, and replaced if
     * it does not reply. So {@link RedisConnectionException.Failure#CONNECTION_LOST} means that the connection broke with the
     * command in flight, and not that it had been closed long before.
     */
    RELEASE,
    /** Renewing leases: few calls, for many leases each, that must not be late. */
    RENEWAL
}
