package io.keyhold.inspect;

import java.util.Optional;

/**
 * What one node of a quorum sees of a lock.
 *
 * @param address where the node is
 * @param holder who holds the lock there
 * @param trouble why the node could not be asked, if it could not
 */
public record NodeSnapshot(String address, Optional<LockHolder> holder, Optional<String> trouble) {}
