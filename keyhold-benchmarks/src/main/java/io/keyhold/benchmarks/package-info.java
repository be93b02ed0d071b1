/** The comparison: what is asked for on the command line, the run from shape to shape, and its progress. */
@NullMarked
package io.keyhold.benchmarks;

import org.jspecify.annotations.NullMarked;
