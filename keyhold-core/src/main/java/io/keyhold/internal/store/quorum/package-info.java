/** One store made of several independent ones: a lock is held by the client that holds a majority of them. */
@NullMarked
package io.keyhold.internal.store.quorum;

import org.jspecify.annotations.NullMarked;
