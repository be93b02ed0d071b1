/**
 * Keyhold on Jedis. {@link io.keyhold.jedis.JedisDriver} is the entry point; {@code Keyhold.connect} finds it by itself.
 *
 * <p>A call goes through {@code BlockingCalls} of core (chooses the thread), {@code JedisConnections} (chooses the connection),
 * {@code JedisConnection} (sends, reads, maps failures) and {@code Protocol} (encodes and decodes). A subscription is a
 * {@code JedisSubscription} with a thread and a connection of its own.
 */
@NullMarked
package io.keyhold.jedis;

import org.jspecify.annotations.NullMarked;
