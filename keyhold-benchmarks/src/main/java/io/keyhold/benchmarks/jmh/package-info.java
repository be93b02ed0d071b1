/** Measurements inside one JVM, by JMH: what Keyhold costs when there is no server in between. */
@NullMarked
package io.keyhold.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
