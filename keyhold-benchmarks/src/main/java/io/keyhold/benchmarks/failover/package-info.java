/** Clients that use one lock while its master fails over again and again: how often two of them hold it at once. */
@NullMarked
package io.keyhold.benchmarks.failover;

import org.jspecify.annotations.NullMarked;
