/** The primitives, one file each: what a user's call becomes before the engine takes it. */
@NullMarked
package io.keyhold.internal.lock;

import org.jspecify.annotations.NullMarked;
