/** Finds the server that has a lock, where that is more than one address: the master that sentinels name. */
@NullMarked
package io.keyhold.internal.topology;

import org.jspecify.annotations.NullMarked;
