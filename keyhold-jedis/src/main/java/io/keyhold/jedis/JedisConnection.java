package io.keyhold.jedis;

import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.PooledConnection;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisErrorException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;

/** A Jedis connection, and what is known about it. Used by one thread at a time; {@link #close} may come from any. */
final class JedisConnection extends PooledConnection {

    private static final long MOMENT_NANOS = Duration.ofMillis(10).toNanos();
    private static final RedisCall PING = RedisCall.of("PING");

    private final Connection jedis;
    private final String address;
    private volatile boolean notServing;

    JedisConnection(Connection jedis, String address, int generation, long lastReply) {
        super(generation, lastReply);
        this.jedis = jedis;
        this.address = address;
    }

    Connection jedis() {
        return jedis;
    }

    /** Returns whether the server has said on it that it does not serve. */
    boolean isNotServing() {
        return notServing;
    }

    /** Sends one command and waits for its reply. Throws what the driver's caller gets. */
    @Nullable
    Object exchange(RedisCall call) {
        return exchange(List.of(call)).get(0);
    }

    /** Sends all commands and then reads all replies. Throws what the driver's caller gets, for the first error among them. */
    List<@Nullable Object> exchange(List<RedisCall> calls) {
        List<Object> replies = roundTrip(calls, call -> call);
        try {
            return Protocol.decodeList(replies);
        } catch (JedisDataException e) {
            throw failure(e);
        }
    }

    /** Sends the commands of all calls and then reads their replies, and gives each call its own. Throws what all of them get. */
    void exchangeAll(List<SharedCalls.Call> calls) {
        List<Object> replies = roundTrip(calls, SharedCalls.Call::toSend);
        for (int i = 0; i < replies.size(); i++) {
            SharedCalls.Call call = calls.get(i);
            try {
                call.replied(Protocol.decode(replies.get(i)));
            } catch (JedisDataException e) {
                call.failed(failure(e));
            }
        }
    }

    /** Writes one command, whose reply {@link #receive} reads. Throws what the driver's caller gets. */
    void send(RedisCall call) {
        refuseIfBroken();
        try {
            jedis.sendCommand(Protocol.encode(call));
            plain().write();
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** Waits for the beginning of a reply, or of the connection's failure; at most for this time, and not at all if it is 0. */
    boolean awaitReply(int millis) {
        return plain().awaitInput(millis);
    }

    private PlainConnection plain() {
        return (PlainConnection) jedis;
    }

    /** Waits for the reply to the command that was sent. Throws what the driver's caller gets. */
    @Nullable
    Object receive() {
        if (isBroken()) { // Closed meanwhile. The command was sent, and may have been executed.
            throw DriverFailures.broken(address, new SocketException("the connection was closed"));
        }
        try {
            return Protocol.decodeList(replies(1)).get(0);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** Returns the replies as Jedis has them, with errors among them. */
    private <T> List<Object> roundTrip(List<T> calls, Function<T, RedisCall> command) {
        refuseIfBroken();
        try {
            for (T call : calls) {
                jedis.sendCommand(Protocol.encode(command.apply(call)));
            }
            return replies(calls.size());
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** A Jedis connection that was closed would open another socket, without AUTH and SELECT. */
    private void refuseIfBroken() {
        if (isBroken()) {
            throw DriverFailures.lost(address);
        }
    }

    private List<Object> replies(int count) {
        List<Object> replies = jedis.getMany(count);
        noteReply();
        return replies;
    }

    /** Waits indefinitely for what the server sends without being asked. */
    @Nullable
    Object read() {
        return Protocol.decode(jedis.getUnflushedObject());
    }

    private RuntimeException failure(Throwable e) {
        if (e instanceof JedisDataException reply) {
            RedisErrorException error = Protocol.error(reply);
            notServing |= error.isNotServing();
            return error;
        }
        markBroken();
        return e.getCause() instanceof SocketTimeoutException
                ? DriverFailures.timedOut(address, Duration.ofMillis(jedis.getSoTimeout()), e)
                : DriverFailures.broken(address, e);
    }

    /**
     * Returns whether the server is known to be at the other end. If it has not replied for more than a moment it is asked
     * with PING, because nothing less is certain: a machine that was restarted, or a firewall that has forgotten the
     * connection, shows only when something is sent. Takes at most half of the time that is left, so that another
     * connection can be opened.
     */
    boolean isAlive(long deadline) {
        long now = System.nanoTime();
        if (hasJustReplied(now)) {
            return true;
        }
        try {
            int usual = jedis.getSoTimeout();
            int half = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis((deadline - now) / 2));
            jedis.setSoTimeout(usual == 0 ? half : Math.min(usual, half));
            roundTrip(List.of(PING), ping -> ping); // An error, because PING is not permitted, say, is a reply too.
            jedis.setSoTimeout(usual);
            return true;
        } catch (Throwable e) {
            markBroken();
            return false;
        }
    }

    boolean hasJustReplied(long now) {
        return now - lastReply() <= MOMENT_NANOS;
    }

    @Override
    public void close() {
        markBroken();
        try {
            jedis.forceDisconnect();
        } catch (IOException e) {
            // Declared, but not thrown: Jedis closes the socket quietly.
        }
    }
}
