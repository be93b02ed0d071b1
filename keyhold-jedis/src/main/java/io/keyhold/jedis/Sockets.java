package io.keyhold.jedis;

import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import redis.clients.jedis.util.IOUtils;

/** Opens sockets, with the options that Jedis sets. */
final class Sockets {

    private Sockets() {}

    /**
     * Opens a socket: a {@link ReplySocket}, or with TLS one above it. Each step may take this time, and a read too.
     *
     * <p>Shakes hands at once. Jedis leaves that to the first command, and a certificate that is not trusted would then look like a
     * connection that broke after the command was sent.
     */
    static Socket open(RedisUri uri, int timeoutMillis) throws IOException {
        Socket plain = connect(uri, timeoutMillis);
        try {
            plain.setSoTimeout(timeoutMillis);
            return uri.tls() ? encrypted(uri, plain) : plain;
        } catch (Throwable e) {
            IOUtils.closeQuietly(plain);
            throw e;
        }
    }

    /** Tries the addresses of the host in random order. */
    private static ReplySocket connect(RedisUri uri, int timeoutMillis) throws IOException {
        List<InetAddress> addresses = Arrays.asList(InetAddress.getAllByName(uri.host()));
        Collections.shuffle(addresses);
        IOException failure = new IOException("no address of the host accepts connections");
        for (InetAddress address : addresses) {
            ReplySocket socket = new ReplySocket();
            try {
                socket.setReuseAddress(true);
                socket.setKeepAlive(true);
                socket.setTcpNoDelay(true);
                socket.setSoLinger(true, 0);
                socket.connect(new InetSocketAddress(address, uri.port()), timeoutMillis);
                return socket;
            } catch (IOException e) {
                IOUtils.closeQuietly(socket);
                failure.addSuppressed(e);
            }
        }
        throw failure;
    }

    private static SSLSocket encrypted(RedisUri uri, Socket plain) throws IOException {
        SSLSocket tls = (SSLSocket)
                uri.tlsSettings().context().getSocketFactory().createSocket(plain, uri.host(), uri.port(), true);
        tls.setSSLParameters(uri.tlsSettings().parameters(uri.host()));
        try {
            tls.startHandshake();
        } catch (SocketTimeoutException e) {
            throw new SSLException("handshake timed out", e);
        }
        return tls;
    }
}
