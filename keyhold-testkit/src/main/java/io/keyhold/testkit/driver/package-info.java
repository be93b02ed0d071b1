/**
 * The contract of drivers, part by part. {@link io.keyhold.testkit.RedisDriverContract} is all of them together, and
 * the one to extend.
 */
@NullMarked
package io.keyhold.testkit.driver;

import org.jspecify.annotations.NullMarked;
