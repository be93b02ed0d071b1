/**
 * Keyhold on Lettuce. {@link io.keyhold.lettuce.LettuceDriver} is the entry point; {@code Keyhold.connect} finds it by
 * itself.
 *
 * <p>A call goes through {@code LettuceDriver} (chooses a {@code SharedConnection}, or for exclusive work one from the
 * pool), {@code LettuceConnection} (a connection and what is in flight on it), {@code SentCommand} and {@code ReplyOutput}
 * (encode and decode) and {@code Endpoint} (maps failures). {@code Connector} opens connections. A subscription is a
 * {@code LettuceSubscription} on a connection of its own.
 */
@NullMarked
package io.keyhold.lettuce;

import org.jspecify.annotations.NullMarked;
