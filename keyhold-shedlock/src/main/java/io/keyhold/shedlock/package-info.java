/** Keyhold in ShedLock: {@link io.keyhold.shedlock.KeyholdLockProvider}. */
@NullMarked
package io.keyhold.shedlock;

import org.jspecify.annotations.NullMarked;
