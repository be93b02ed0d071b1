/**
 * Leases and how they end: renewed, released, handed over inside the client, handed off, or lost. This package knows nothing about
 * how a lease is acquired.
 */
@NullMarked
package io.keyhold.internal.engine.lease;

import org.jspecify.annotations.NullMarked;
