/** The situations that are measured, one class for each kind: how many threads and JVMs, which keys, what is timed. */
@NullMarked
package io.keyhold.benchmarks.shape;

import org.jspecify.annotations.NullMarked;
