/**
 * Clocks, timers and the order in which things are done: what the engine and the quorum are given instead of threads and the
 * system's time.
 */
@NullMarked
package io.keyhold.internal.time;

import org.jspecify.annotations.NullMarked;
