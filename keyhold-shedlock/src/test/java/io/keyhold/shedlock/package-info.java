/** ShedLock's own tests, and tests of what they do not cover. */
@NullMarked
package io.keyhold.shedlock;

import org.jspecify.annotations.NullMarked;
