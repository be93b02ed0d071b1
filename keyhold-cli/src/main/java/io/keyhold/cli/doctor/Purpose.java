package io.keyhold.cli.doctor;

/** What a server is for, which decides what it may forget. */
public enum Purpose {
    /** It alone knows of locks, for whoever can reach it. */
    ALONE,
    /** It is a node of a quorum: after a restart it keeps out of votes, and so may forget everything. */
    NODE,
    /** It is a user's own, and nobody outside this machine reaches it: a crash of the machine ends all holders too. */
    OWN
}
