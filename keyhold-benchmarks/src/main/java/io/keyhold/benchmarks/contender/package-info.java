/** The locks that are compared, one class each, behind one small interface. */
@NullMarked
package io.keyhold.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
