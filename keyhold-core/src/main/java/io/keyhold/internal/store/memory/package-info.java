/** Locks inside this JVM. */
@NullMarked
package io.keyhold.internal.store.memory;

import org.jspecify.annotations.NullMarked;
