package io.keyhold.jedis;

import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import redis.clients.jedis.util.IOUtils;

/** Opens sockets, with the options that Jedis sets. */
final class Sockets {

    private Sockets() {}

    /** Opens a socket to any address of the host, within this time. */
    static ReplySocket connect(RedisUri uri, int timeoutMillis) throws IOException {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (InetAddress address : InetAddress.getAllByName(uri.host())) {
            addresses.add(new InetSocketAddress(address, uri.port()));
        }
        Collections.shuffle(addresses);
        return connect(addresses, timeoutMillis);
    }

    /** Tries the addresses one after the other, each for its share of the time that is left. */
    static ReplySocket connect(List<InetSocketAddress> addresses, int timeoutMillis) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        IOException failure = new IOException("no address of the host accepts connections");
        for (int i = 0; i < addresses.size(); i++) {
            long share = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()) / (addresses.size() - i);
            ReplySocket socket = new ReplySocket();
            try {
                socket.setReuseAddress(true);
                socket.setKeepAlive(true);
                socket.setTcpNoDelay(true);
                socket.setSoLinger(true, 0);
                socket.connect(addresses.get(i), (int) Math.max(1, share));
                return socket;
            } catch (Throwable e) {
                IOUtils.closeQuietly(socket);
                if (!(e instanceof IOException)) {
                    throw e;
                }
                failure.addSuppressed(e);
            }
        }
        throw failure;
    }

    /**
     * Returns a socket above this one that encrypts. It has shaken hands: Jedis leaves that to the first command, and a certificate that is
     * not trusted would then look like a connection that broke after the command was sent.
     */
    static SSLSocket encrypted(RedisUri uri, ReplySocket plain) throws IOException {
        SSLSocket tls = (SSLSocket)
                uri.tlsSettings().context().getSocketFactory().createSocket(plain, uri.host(), uri.port(), true);
        tls.setSSLParameters(uri.tlsSettings().parameters(uri.host()));
        try {
            return plain.timed(() -> {
                tls.startHandshake();
                return tls;
            });
        } catch (SocketTimeoutException e) {
            throw new SSLException("handshake timed out", e);
        }
    }
}
