/**
 * Keyhold on Lettuce. {@link io.keyhold.lettuce.LettuceDriver} is all there is to use; {@code Keyhold.connect} finds it
 * by itself.
 *
 * <p>The road of a call: {@code LettuceDriver} · {@code SharedLine} (one connection for many calls) or
 * {@code SessionLines} (one for each piece of exclusive work) · {@code Line} (a connection and what is under way on
 * it) · {@code Commands} and {@code ReplyOutput} (bytes out, reply in) · {@code Failures} (what it means).
 * {@code Dialer} opens connections for both.
 *
 * <p>The road of a message: {@code Inbox} (one subscription and its connection, which {@code Dialer} opens too) · the
 * listener.
 */
@NullMarked
package io.keyhold.lettuce;

import org.jspecify.annotations.NullMarked;
