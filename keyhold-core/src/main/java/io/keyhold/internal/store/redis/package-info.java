/** Locks on a Redis server: key names, scripts, transactions. */
@NullMarked
package io.keyhold.internal.store.redis;

import org.jspecify.annotations.NullMarked;
