/**
 * Waiting, leases, renewal and loss: once, for every kind of lock and every store. Never blocks, and reads time and sets
 * timers only through what it is given.
 */
@NullMarked
package io.keyhold.internal.engine;

import org.jspecify.annotations.NullMarked;
