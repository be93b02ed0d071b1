/** Locks in a Redis Cluster: a store above the stores of its primaries. */
@NullMarked
package io.keyhold.internal.store.cluster;

import org.jspecify.annotations.NullMarked;
