/** The shapes: how many threads and JVMs, which keys, and what is timed. */
@NullMarked
package io.keyhold.benchmarks.shape;

import org.jspecify.annotations.NullMarked;
