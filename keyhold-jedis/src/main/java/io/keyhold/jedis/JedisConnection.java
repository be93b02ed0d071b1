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

    /** The socket is null where no reply can be awaited: with TLS, because input need not be a reply, and on an application's connection. */
    JedisConnection(
            Connection jedis, String address, @Nullable ReplySocket socket, Generation generation, long lastReply) {
        super(generation, lastReply);
        this.jedis = jedis;
        this.address = address;
        this.socket = socket;
    }

    @Override
    protected List<@Nullable Object> exchange(List<RedisCall> calls) {
        refuseIfBroken();
        try {
            for (RedisCall call : calls) {
                jedis.sendCommand(Protocol.encode(call));
            }
            return replies(calls.size());
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    @Override
    protected void send(RedisCall call) {
        refuseIfBroken();
        try {
            jedis.sendCommand(Protocol.encode(call));
            jedis.getMany(0); // Writes what was sent, and reads nothing.
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** What Jedis has buffered does not count: a connection has one reply to read at a time. */
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
            return replies(1).get(0);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** A Jedis connection of an application would open another socket. */
    private void refuseIfBroken() {
        if (isBroken()) {
            throw DriverFailures.lost(address);
        }
    }

    private List<@Nullable Object> replies(int count) {
        List<@Nullable Object> replies = jedis.getMany(count);
        noteReply();
        for (int i = 0; i < count; i++) {
            replies.set(i, decode(replies.get(i)));
        }
        return replies;
    }

    private @Nullable Object decode(@Nullable Object raw) {
        try {
            return Protocol.decode(raw);
        } catch (RedisErrorException error) {
            noteError(error);
            return error;
        }
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
        return e.getCause() instanceof SocketTimeoutException
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
