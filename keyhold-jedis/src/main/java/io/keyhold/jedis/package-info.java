/**
 * Keyhold on Jedis. {@link io.keyhold.jedis.JedisDriver} is all there is to use; {@code Keyhold.connect} finds it by
 * itself.
 *
 * <p>The road of a call: {@code JedisDriver} (on which thread) · {@code ConnectionSource} (on which connection) ·
 * {@code Wire} (bytes out, reply in) · {@code Replies} and {@code Failures} (what it means).
 *
 * <p>The road of a message: {@code Wire} · {@code Replies} · {@code Inbox} (one subscription, its thread and its
 * connection) · the listener. {@code Inboxes} are those of a driver.
 */
@NullMarked
package io.keyhold.jedis;

import org.jspecify.annotations.NullMarked;
