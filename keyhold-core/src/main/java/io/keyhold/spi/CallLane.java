package io.keyhold.spi;

/** Which calls compete with each other for connections and threads. Calls of one lane never wait behind those of another. */
public enum CallLane {
    /** Everything that a user asks for, above all acquiring. Any number of threads may fill it. */
    REQUEST,
    /**
     * Giving back. A driver sends such a call only on a connection that was alive a moment before: one that has been idle
     * is checked first, and replaced if the check fails. So {@link RedisConnectionException.Failure#CUT} means that the
     * connection broke with the command in flight, and not that it had been closed long before.
     */
    RELEASE,
    /** Renewing leases: few calls, for many leases each, that must not be late. */
    RENEWAL
}
