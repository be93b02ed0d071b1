package io.keyhold.jedis;

import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.net.Socket;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLSocket;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.IOUtils;

/** Jedis's way of opening a socket, with two differences. */
final class SocketOpener extends DefaultJedisSocketFactory {

    private final BooleanSupplier closed;

    SocketOpener(RedisUri uri, JedisClientConfig settings, BooleanSupplier closed) {
        super(new HostAndPort(uri.host(), uri.port()), settings);
        this.closed = closed;
    }

    /**
     * Refuses once the driver is closed: a Jedis connection whose socket was closed by another thread opens a new one
     * when it is next used, without AUTH and SELECT, and would send its command to the wrong database.
     *
     * <p>Shakes hands at once: Jedis leaves that to the first command, and a certificate that is not trusted would then
     * look like a connection that broke after the command was sent.
     */
    @Override
    public Socket createSocket() {
        if (closed.getAsBoolean()) {
            throw new JedisConnectionException("the driver is closed");
        }
        Socket socket = super.createSocket();
        if (socket instanceof SSLSocket tls) {
            try {
                tls.startHandshake();
            } catch (IOException e) {
                IOUtils.closeQuietly(tls);
                throw new JedisConnectionException("TLS handshake failed", e);
            }
        }
        return socket;
    }
}
