package io.keyhold.jedis;

import java.util.Objects;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;

/** A Jedis connection without TLS, which can write a command now and wait for its reply later. */
final class PlainConnection extends Connection {

    private final SocketOpener opener;

    PlainConnection(SocketOpener opener, JedisClientConfig settings) {
        super(opener, settings);
        this.opener = opener;
    }

    /** Writes what was sent. */
    void write() {
        flush();
    }

    /** As {@link ReplySocket#awaitInput}. What Jedis has buffered does not count: a connection has one reply to read at a time. */
    boolean awaitInput(int millis) {
        return Objects.requireNonNull(opener.opened()).awaitInput(millis);
    }
}
