/** The libraries that are compared, behind one small interface. */
@NullMarked
package io.keyhold.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
