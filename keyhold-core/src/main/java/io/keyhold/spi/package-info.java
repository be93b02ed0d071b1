/**
 * What a Redis driver implements. A driver carries commands to one server and brings back the replies; it knows nothing
 * of locks. {@link io.keyhold.spi.RedisDriver} is the port, {@link io.keyhold.spi.RedisDriverProvider} is how
 * {@code Keyhold.connect} finds it on the class path or module path.
 */
@NullMarked
package io.keyhold.spi;

import org.jspecify.annotations.NullMarked;
