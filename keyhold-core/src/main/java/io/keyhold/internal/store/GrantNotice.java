package io.keyhold.internal.store;

/**
 * Tells a waiter that it holds the lock.
 *
 * @param number which wait has come to its end
 * @param fencingToken larger than that of every earlier hold
 * @param atMicros the moment of the grant, by the clock that {@link AcquireReply.Busy#atMicros()} tells
 */
public record GrantNotice(long number, long fencingToken, long atMicros) {}
