package io.keyhold.jedis;

import io.keyhold.spi.BlockingConnection;
import io.keyhold.spi.BlockingConnections;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.ConnectionPool;
import io.keyhold.spi.Credentials;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.PooledConnection.Generation;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.IOUtils;

/**
 * Connections of the driver's own: none until the first call, and back to one when there is little to do.
 *
 * <p>Not a Jedis {@code ConnectionPool}: when one connection breaks, the pool below it (commons-pool 2.13) opens another at
 * once, on the thread whose call has just failed, which then waits for an unreachable server for the connect timeout too.
 */
final class OwnConnections implements BlockingConnections {

    /** With too many clients, or in protected mode. */
    private static final Pattern NOT_ACCEPTED = Pattern.compile("ERR max number of clients |DENIED ");

    private final RedisUri uri;
    private final ConnectionPool<BlockingConnection> pool;

    OwnConnections(RedisUri uri) {
        this.uri = uri;
        this.pool = new ConnectionPool<>(uri.maxConnections());
    }

    @Override
    public String address() {
        return uri.address();
    }

    @Override
    public Duration timeout() {
        return uri.connectTimeout();
    }

    @Override
    public BlockingConnection borrow(CallLane lane) {
        if (pool.isClosed()) {
            throw DriverFailures.closed(address());
        }
        long deadline = deadline();
        if (!pool.await(lane, deadline)) {
            throw DriverFailures.exhausted(address(), timeout());
        }
        try {
            return BlockingConnections.uninterrupted(() -> idleOrNew(lane, deadline));
        } catch (Throwable e) {
            pool.releasePlace(lane);
            throw e;
        }
    }

    @Override
    public @Nullable BlockingConnection borrowNow(CallLane lane) {
        if (uri.tls() || pool.isClosed() || !pool.tryReserve(lane)) {
            return null;
        }
        BlockingConnection idle = pool.pollIdle();
        if (idle == null) {
            pool.releasePlace(lane);
        } else if (idle.needsPing(lane)) {
            pool.release(lane, idle);
        } else {
            return idle;
        }
        return null;
    }

    private BlockingConnection idleOrNew(CallLane lane, long deadline) {
        BlockingConnection idle = pool.pollIdle();
        if (idle != null && idle.isAliveFor(lane, deadline)) {
            return idle;
        }
        if (idle != null) {
            pool.discard(idle);
        }
        JedisConnection opened = open(deadline);
        if (!pool.add(opened)) {
            throw DriverFailures.closed(address());
        }
        return opened;
    }

    /**
     * Opens a connection. Each step of it (TCP, TLS, AUTH and SELECT) may take the time that is left: a server that does not
     * reply fails the first of them. From then on the command timeout holds, for each reply.
     */
    private JedisConnection open(long deadline) {
        Generation generation = pool.generation();
        Credentials credentials = uri.credentials().orElse(null);
        try {
            int millis = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
            ReplySocket socket = ReplySocket.open(uri.host(), uri.port(), millis);
            try {
                socket.setSoTimeout(millis);
                Socket used = uri.tls() ? encrypted(socket) : socket;
                Connection jedis = socket.timed(() -> handshake(used, credentials));
                jedis.setSoTimeout(Math.toIntExact(uri.commandTimeout().toMillis()));
                return new JedisConnection(jedis, address(), socket, generation, System.nanoTime());
            } catch (Throwable e) {
                IOUtils.closeQuietly(socket);
                throw e;
            }
        } catch (RedisErrorException e) {
            throw e;
        } catch (Throwable e) {
            throw pool.isClosed() ? DriverFailures.closed(address()) : DriverFailures.cannotConnect(uri, e);
        }
    }

    /**
     * Returns a socket above this one that encrypts. It has shaken hands: Jedis leaves that to the first command, and a certificate that is
     * not trusted would then look like a connection that broke after the command was sent.
     */
    private SSLSocket encrypted(ReplySocket plain) throws IOException {
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

    /**
     * Sends AUTH, SELECT and the client's name in one round trip. Jedis would take one for each, and send more that access rules may forbid
     * (HELLO, CLIENT SETINFO). The name is not worth a refusal, but a server that does not accept the connection says so in place of the first
     * reply. With TLS there is a reply to wait for in any case, because with TLS 1.3 the server says that it demands a client certificate after
     * the handshake.
     */
    private Connection handshake(Socket socket, @Nullable Credentials credentials) {
        List<RedisCall> commands = new ArrayList<>();
        if (credentials != null && credentials.user() != null) {
            commands.add(RedisCall.of("AUTH", credentials.user(), credentials.password()));
        } else if (credentials != null) {
            commands.add(RedisCall.of("AUTH", credentials.password()));
        }
        if (uri.database() > 0) {
            commands.add(RedisCall.of("SELECT", Integer.toString(uri.database())));
        }
        int required = commands.size();
        uri.clientName().ifPresent(name -> commands.add(RedisCall.of("CLIENT", "SETNAME", name)));
        if (commands.isEmpty() && uri.tls()) {
            commands.add(RedisCall.of("PING"));
        }
        // Always this socket: a Jedis connection that was closed would open another when it is next used, without AUTH
        // and SELECT.
        Connection jedis = new Connection(() -> socket);
        jedis.connect();
        commands.forEach(command -> jedis.sendCommand(Protocol.encode(command)));
        for (int i = 0; i < commands.size(); i++) { // One by one: none follows if the connection is not accepted.
            if (jedis.getMany(1).get(0) instanceof JedisDataException refusal
                    && (i < required
                            || NOT_ACCEPTED.matcher(refusal.getMessage()).lookingAt())) {
                throw Protocol.error(refusal);
            }
        }
        return jedis;
    }

    private long deadline() {
        return System.nanoTime() + timeout().toNanos();
    }

    @Override
    public void release(CallLane lane, BlockingConnection connection) {
        pool.release(lane, connection);
    }

    /** Not counted among those for calls, nor closed with them: the driver closes its subscriptions. */
    @Override
    public BlockingConnection borrowForSubscription() {
        return open(deadline());
    }

    @Override
    public void trim() {
        pool.trim(1);
    }

    @Override
    public void close() {
        pool.close();
    }
}
