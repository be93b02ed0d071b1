package io.keyhold.doctor;

/** How a server is used, which decides which data it may lose. */
enum Deployment {
    /** A single server. */
    SINGLE,
    /** The master of a group with sentinels. */
    SENTINEL_MASTER,
    /** A primary of a cluster. */
    CLUSTER_PRIMARY,
    /** A node of a quorum: it is quarantined after a restart, so it may lose everything. */
    QUORUM_NODE,
    /** The private Redis server, which only this machine reaches: a crash of the machine ends all holders too. */
    LOCAL
}
