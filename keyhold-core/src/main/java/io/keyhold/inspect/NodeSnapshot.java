package io.keyhold.inspect;

import java.util.Optional;

/**
 * What one node of a quorum sees of a lock.
 *
 * @param address host and port, or the socket
 * @param holder the holder of the lock there
 * @param error why the node did not reply, if it did not
 */
public record NodeSnapshot(String address, Optional<LockHolder> holder, Optional<String> error) {}
