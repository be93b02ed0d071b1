package io.keyhold.jedis;

import io.keyhold.spi.BlockingConnection;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisErrorException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;

/** A Jedis connection, and what is known about it. */
class JedisConnection extends BlockingConnection {

    final Connection jedis;
    private final String address;
    private final @Nullable ReplySocket socket;

    /** The socket is null on an application's connection, where Jedis keeps the timeouts. */
    JedisConnection(
            Connection jedis, String address, @Nullable ReplySocket socket, Generation generation, long lastReply) {
        super(generation, lastReply);
        this.jedis = jedis;
        this.address = address;
        this.socket = socket;
    }

    @Override
    protected void send(List<RedisCall> calls) {
        if (isBroken()) { // A Jedis connection of an application would open another socket.
            throw DriverFailures.lost(address);
        }
        try {
            timed(() -> {
                calls.forEach(call -> jedis.sendCommand(Protocol.encode(call)));
                return jedis.getMany(0); // Writes what is left, and reads nothing.
            });
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    @Override
    protected void spin() {
        if (socket != null) {
            try {
                socket.spin();
            } catch (Throwable e) {
                throw failure(e);
            }
        }
    }

    /** What Jedis has buffered does not count: a connection has one reply to read at a time. With TLS, input need not be a reply. */
    @Override
    protected boolean awaitReply(int millis) {
        return Objects.requireNonNull(socket).awaitInput(millis);
    }

    @Override
    protected @Nullable Object receive() {
        if (isBroken()) { // Closed meanwhile. The command was sent, and may have been executed.
            throw DriverFailures.broken(address, new SocketException("the connection was closed"));
        }
        try {
            Object reply = timed(() -> jedis.getMany(1)).get(0);
            noteReply();
            return Protocol.decode(reply);
        } catch (RedisErrorException error) {
            noteError(error);
            return error;
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    private <T> T timed(ReplySocket.Work<T> work) throws IOException {
        return socket == null ? work.run() : socket.timed(work);
    }

    @Override
    protected int timeout() {
        return jedis.getSoTimeout();
    }

    @Override
    protected void setTimeout(int millis) {
        jedis.setSoTimeout(millis);
    }

    private RuntimeException failure(Throwable e) {
        markBroken();
        return e instanceof SocketTimeoutException || e.getCause() instanceof SocketTimeoutException
                ? DriverFailures.timedOut(address, Duration.ofMillis(timeout()), e)
                : DriverFailures.broken(address, e);
    }

    /** Without a timeout: Java closes a TLS 1.3 socket that has one only after a read, which waits for a server that does not reply. */
    @Override
    public void close() {
        markBroken();
        try {
            jedis.setSoTimeout(0);
        } catch (RuntimeException e) {
            // It is closed already.
        }
        try {
            jedis.forceDisconnect();
        } catch (IOException e) {
            // Declared, but not thrown: Jedis closes the socket quietly.
        }
    }
}
