package io.keyhold.doctor;

/**
 * A server of a topology.
 *
 * @param address host and port
 * @param role what it does: {@code master}, {@code replica}, {@code sentinel}, or {@code node} of a quorum
 * @param state {@code ok}, {@code unreachable} or {@code quarantined}
 * @param detail what else is known, such as its version or its master; may be empty
 */
public record TopologyNode(String address, String role, String state, String detail) {

    /** The state of a server that replies, or is said to do so by another server. */
    public static final String OK = "ok";

    /** The state of a server that does not reply. */
    public static final String UNREACHABLE = "unreachable";

    /** The state of a node of a quorum that does not vote yet. */
    public static final String QUARANTINED = "quarantined";
}
