package io.keyhold.jedis;

import io.keyhold.spi.RedisUri;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.IOUtils;

/** Opens sockets as Jedis does, with three differences. */
final class SocketOpener extends DefaultJedisSocketFactory {

    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);

    private final RedisUri uri;
    private final JedisClientConfig settings;
    private final BooleanSupplier closed;
    private @Nullable ReplySocket opened;

    SocketOpener(RedisUri uri, JedisClientConfig settings, BooleanSupplier closed) {
        super(new HostAndPort(uri.host(), uri.port()), settings);
        this.uri = uri;
        this.settings = settings;
        this.closed = closed;
    }

    /** Returns the socket that was opened last; null with TLS. */
    @Nullable
    ReplySocket opened() {
        return opened;
    }

    /**
     * Refuses once the driver is closed: a Jedis connection whose socket was closed by another thread opens a new one
     * when it is next used, without AUTH and SELECT, and would send its command to the wrong database.
     *
     * <p>Shakes hands at once, and asks for one reply: Jedis leaves that to the first command, and a certificate that is not trusted
     * would then look like a connection that broke after the command was sent. The reply is needed because with TLS 1.3 the server says
     * that it demands a client certificate after the handshake.
     *
     * <p>Without TLS, a thread can wait for replies on the socket for a moment. With it, input need not be a reply.
     */
    @Override
    public Socket createSocket() {
        if (closed.getAsBoolean()) {
            throw new JedisConnectionException("the driver is closed");
        }
        if (!uri.tls()) {
            ReplySocket plain = openPlain();
            opened = plain;
            return plain;
        }
        Socket socket = super.createSocket();
        if (socket instanceof SSLSocket tls) {
            try {
                shakeHands(tls);
            } catch (IOException e) {
                IOUtils.closeQuietly(tls);
                throw new JedisConnectionException("TLS handshake failed", e);
            }
        }
        return socket;
    }

    /** Tries the addresses of the host in random order, with the options that Jedis sets. */
    private ReplySocket openPlain() {
        JedisConnectionException failure = new JedisConnectionException("cannot connect to " + getHostAndPort());
        List<InetAddress> addresses;
        try {
            addresses = Arrays.asList(InetAddress.getAllByName(uri.host()));
        } catch (IOException e) {
            throw new JedisConnectionException("cannot resolve " + uri.host(), e);
        }
        Collections.shuffle(addresses);
        for (InetAddress address : addresses) {
            ReplySocket socket = new ReplySocket();
            try {
                socket.setReuseAddress(true);
                socket.setKeepAlive(true);
                socket.setTcpNoDelay(true);
                socket.setSoLinger(true, 0);
                socket.connect(new InetSocketAddress(address, uri.port()), settings.getConnectionTimeoutMillis());
                socket.setSoTimeout(settings.getSocketTimeoutMillis());
                return socket;
            } catch (IOException e) {
                IOUtils.closeQuietly(socket);
                failure.addSuppressed(e);
            }
        }
        throw failure;
    }

    private static void shakeHands(SSLSocket tls) throws IOException {
        try {
            tls.startHandshake();
        } catch (SocketTimeoutException e) {
            throw new SSLException("handshake timed out", e);
        }
        tls.getOutputStream().write(PING);
        InputStream replies = tls.getInputStream();
        int next;
        do { // An error, because PING is not permitted, say, is a reply too.
            next = replies.read();
        } while (next >= 0 && next != '\n');
        if (next < 0) {
            throw new EOFException("end of stream");
        }
    }
}
