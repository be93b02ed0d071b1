/**
 * The port for Redis drivers. A driver carries commands to one server and returns the replies; it knows nothing
 * of locks. {@link io.keyhold.spi.RedisDriver} is the port, {@link io.keyhold.spi.RedisDriverProvider} is how
 * {@code Keyhold.connect} finds it on the class path or module path. What every driver needs is here for authors of drivers:
 * {@link io.keyhold.spi.ConnectionPool}, {@link io.keyhold.spi.DriverSession}, {@link io.keyhold.spi.DriverSubscription},
 * {@link io.keyhold.spi.DriverFailures}, {@link io.keyhold.spi.Stages}, and for a client that blocks {@link io.keyhold.spi.BlockingDriver}.
 */
@NullMarked
package io.keyhold.spi;

import org.jspecify.annotations.NullMarked;
