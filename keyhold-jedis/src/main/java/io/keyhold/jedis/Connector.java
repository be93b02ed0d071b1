package io.keyhold.jedis;

import io.keyhold.spi.RedisUri;
import java.util.function.BooleanSupplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;

/** Opens connections, ready for use. */
final class Connector {

    private final RedisUri uri;
    private final BooleanSupplier closed;
    private final int commandTimeoutMillis;

    /** From when {@code closed} says so, nothing is opened. */
    Connector(RedisUri uri, BooleanSupplier closed) {
        this.uri = uri;
        this.closed = closed;
        this.commandTimeoutMillis = Math.toIntExact(uri.commandTimeout().toMillis());
    }

    /**
     * Opens one.
     *
     * @param timeoutMillis for each step of it (TCP, TLS, AUTH, SELECT…): it is the first of them that a server keeps
     *     waiting which does not answer. From then on the command timeout holds, for each piece of a reply
     */
    Connection connect(int timeoutMillis) {
        JedisClientConfig settings = ConnectionSettings.of(uri, timeoutMillis);
        Connection connection = new Connection(new SocketOpener(uri, settings, closed), settings);
        connection.setSoTimeout(commandTimeoutMillis);
        return connection;
    }
}
