package io.keyhold.internal.store;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A hold, as a store sees it.
 *
 * @param token what stands there
 * @param permits how many permits it is of; 1 for a lock
 * @param remainingMillis when it ends by itself; empty if never
 * @param grant what Keyhold wrote at its grant; empty if the holder is a foreign one
 */
public record HoldView(String token, int permits, OptionalLong remainingMillis, Optional<LockValue> grant) {}
