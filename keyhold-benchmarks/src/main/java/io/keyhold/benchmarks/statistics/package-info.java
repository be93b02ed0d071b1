/** Medians and percentiles. */
@NullMarked
package io.keyhold.benchmarks.statistics;

import org.jspecify.annotations.NullMarked;
