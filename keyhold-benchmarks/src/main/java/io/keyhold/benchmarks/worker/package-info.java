/** The JVMs in which the contenders run: what runs inside them, and how the benchmark controls them. */
@NullMarked
package io.keyhold.benchmarks.worker;

import org.jspecify.annotations.NullMarked;
