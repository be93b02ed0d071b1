package io.keyhold.internal.lock;

import io.keyhold.internal.engine.Engine;

/**
 * What all primitives of a client share.
 *
 * @param threadHolds which thread holds what, so that all views of a subject share their owner
 * @param named what is configured by name
 */
public record ClientContext(Engine engine, ThreadHolds threadHolds, NamedOptions named) {}
