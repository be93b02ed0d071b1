package io.keyhold;

/**
 * How the steps of one operation are made atomic on the server. Clients of both styles exclude each other.
 *
 * @see KeyholdBuilder#commands
 */
public enum CommandStyle {
    /** Lua scripts: one round trip per operation. The right choice wherever EVAL is permitted. */
    SCRIPTS,
    /**
     * WATCH, MULTI and EXEC: three round trips per operation, more under contention, and waiters poll. For servers or ACLs
     * that forbid EVAL, and for plain locks only: semaphores, read/write locks and {@code allOf} are refused.
     */
    TRANSACTIONS
}
