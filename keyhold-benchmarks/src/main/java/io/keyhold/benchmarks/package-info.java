/** The benchmark: its command line, the run through all shapes, and its progress. */
@NullMarked
package io.keyhold.benchmarks;

import org.jspecify.annotations.NullMarked;
