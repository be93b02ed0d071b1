/**
 * The contract of drivers, part by part. {@link io.keyhold.testkit.RedisDriverContract} and {@link
 * io.keyhold.testkit.RedisDriverFaultContract} are all of them together, and the ones to extend.
 */
@NullMarked
package io.keyhold.testkit.driver;

import org.jspecify.annotations.NullMarked;
