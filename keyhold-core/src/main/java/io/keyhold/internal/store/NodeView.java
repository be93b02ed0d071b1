package io.keyhold.internal.store;

import java.util.Optional;

/**
 * What one node of a quorum sees.
 *
 * @param address where the node is
 * @param hold who holds the lock there
 * @param trouble why the node could not be asked, if it could not
 */
public record NodeView(String address, Optional<HoldView> hold, Optional<String> trouble) {}
