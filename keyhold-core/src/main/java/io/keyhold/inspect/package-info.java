/**
 * The view for operators: the holders and waiters of each lock, and since when. {@link io.keyhold.inspect.LockInspector} is its only entry.
 * Reads only, but for {@code forceRelease}; {@code quorum} may begin a quarantine.
 */
@NullMarked
package io.keyhold.inspect;

import org.jspecify.annotations.NullMarked;
