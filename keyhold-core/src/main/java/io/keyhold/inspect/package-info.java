/** What operators read: who holds which lock, and since when. Reads only, but for {@code forceRelease}. */
@NullMarked
package io.keyhold.inspect;

import org.jspecify.annotations.NullMarked;
