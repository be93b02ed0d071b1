package io.keyhold;

/** How the steps of one operation are made atomic on the server. Clients of both kinds exclude each other. */
public enum RedisCommands {
    /** By Lua scripts: one round trip an operation. The right choice wherever EVAL is permitted. */
    SCRIPTS,
    /**
     * By WATCH, MULTI and EXEC: three round trips an operation, and more when others interfere. For servers or ACLs that
     * forbid EVAL. Whoever waits polls, and so in no order: semaphores give one permit at a time, and there are no read/write
     * locks, because large requests and writers would starve.
     */
    TRANSACTIONS
}
