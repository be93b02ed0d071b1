/**
 * Keyhold on Jedis. {@link io.keyhold.jedis.JedisDriver} is the entry point; {@code Keyhold.connect} finds it by itself.
 *
 * <p>A call goes through {@code BlockingDriver} of core (chooses the thread), {@code OwnConnections} or {@code ApplicationConnections}
 * (chooses the connection), {@code JedisConnection} (sends, reads, maps failures) and {@code Protocol} (encodes and decodes).
 */
@NullMarked
package io.keyhold.jedis;

import org.jspecify.annotations.NullMarked;
