/** Tests of sequences under a lock, in memory and on Redis. */
@NullMarked
package io.keyhold.reactor;

import org.jspecify.annotations.NullMarked;
