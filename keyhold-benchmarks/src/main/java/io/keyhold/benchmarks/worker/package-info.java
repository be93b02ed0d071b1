/** The JVMs that do the locking: what runs inside them, and the runner's handle on them. */
@NullMarked
package io.keyhold.benchmarks.worker;

import org.jspecify.annotations.NullMarked;
