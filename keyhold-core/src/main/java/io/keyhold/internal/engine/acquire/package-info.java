/**
 * Requests for leases, from the first attempt to the outcome. {@link io.keyhold.internal.engine.acquire.Acquisition} is the state
 * machine of one request, and {@link io.keyhold.internal.engine.acquire.RequestState} its table of transitions.
 */
@NullMarked
package io.keyhold.internal.engine.acquire;

import org.jspecify.annotations.NullMarked;
