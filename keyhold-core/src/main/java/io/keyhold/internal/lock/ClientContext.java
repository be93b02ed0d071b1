package io.keyhold.internal.lock;

import io.keyhold.internal.engine.Operations;

/**
 * What all primitives of a client share.
 *
 * @param threadHolds which thread holds what, so that all views of a subject share their owner
 * @param named what is configured by name
 */
public record ClientContext(Operations operations, ThreadHolds threadHolds, NamedOptions named) {}
