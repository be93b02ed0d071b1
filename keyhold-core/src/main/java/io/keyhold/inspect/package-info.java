/** What operators read: who holds which lock, and since when. Reads only, but for {@code forceRelease}; {@code quorum} may begin a quarantine. */
@NullMarked
package io.keyhold.inspect;

import org.jspecify.annotations.NullMarked;
