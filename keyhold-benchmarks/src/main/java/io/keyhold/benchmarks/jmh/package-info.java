/** JMH benchmarks inside one JVM: Keyhold's cost without a server. */
@NullMarked
package io.keyhold.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
