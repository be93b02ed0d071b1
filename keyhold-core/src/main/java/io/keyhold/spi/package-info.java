/**
 * The port for Redis drivers. A driver carries commands to one server and returns the replies; it knows nothing
 * of locks. {@link io.keyhold.spi.RedisDriver} is the port, {@link io.keyhold.spi.RedisDriverProvider} is how
 * {@code Keyhold.connect} finds it on the class path or module path. {@link io.keyhold.spi.ConnectionPool},
 * {@link io.keyhold.spi.DriverSession}, {@link io.keyhold.spi.DriverFailures} and {@link io.keyhold.spi.Stages} help authors of drivers.
 */
@NullMarked
package io.keyhold.spi;

import org.jspecify.annotations.NullMarked;
