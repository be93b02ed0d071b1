/** One store made of several: what a majority of them says. */
@NullMarked
package io.keyhold.internal.store.quorum;

import org.jspecify.annotations.NullMarked;
