package io.keyhold.jedis;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.spi.RedisUri;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.Pool;

/**
 * Carries Keyhold's commands with Jedis.
 *
 * <p>A {@link CallMode#BLOCKING} call does its input and output on the calling thread, be it a platform thread or a
 * virtual one. An {@link CallMode#ASYNCHRONOUS} call does it on one of at most eight daemon threads, which end when
 * they have had nothing to do for two seconds. A subscription has a daemon thread and a connection of its own, from
 * {@link #subscribe} until it ends.
 *
 * <p>Calls end by their timeouts and not by interrupts: a thread that was interrupted can still release its lock.
 */
public final class JedisDriver implements RedisDriver {

    private final ConnectionSource connections;
    private final Workers workers;
    private final Inboxes inboxes;

    private JedisDriver(ConnectionSource connections) {
        this.connections = connections;
        this.workers = new Workers(connections::address);
        this.inboxes = new Inboxes(connections);
    }

    /**
     * A driver with connections of its own, at most {@link RedisUri#maxConnections()}. Connects to nothing yet.
     *
     * @throws IllegalArgumentException if the URI names a Unix domain socket, which Jedis does not speak, or a trust
     *     store that cannot be read
     */
    public static JedisDriver open(RedisUri uri) {
        ConnectionSettings.check(uri);
        return new JedisDriver(new OwnConnections(uri));
    }

    /**
     * A driver that borrows the connections of an application's client, and so has its timeouts, user and database. The
     * client is neither changed nor closed, and calls that are under way when the driver is closed come to their end. A
     * client with a socket timeout of 0 would wait for a reply for ever; give it one.
     *
     * <p>Waiting for locks takes one connection of the client's pool for as long as the Keyhold client lives, which
     * listens on it; leave room for it. It is not returned to the pool afterwards, but closed.
     */
    public static JedisDriver using(RedisClient client) {
        return using(client.getPool());
    }

    /** A driver that borrows the connections of an application's pool, as {@link #using(RedisClient)} does. */
    public static JedisDriver using(Pool<Connection> pool) {
        return new JedisDriver(new ApplicationConnections(pool));
    }

    @Override
    public String address() {
        return connections.address();
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        long deadline = connections.borrowDeadline();
        return options.mode() == CallMode.BLOCKING
                ? Stages.of(() -> exchange(call, deadline, options.sending()))
                : workers.enqueue(() -> Stages.of(() -> exchange(call, deadline, options.sending())));
    }

    private @Nullable Object exchange(RedisCall call, long deadline, Runnable sending) {
        Connection connection = connections.borrow(deadline);
        Object reply;
        try {
            sending.run();
            reply = Replies.decoded(Wire.exchange(connection, call));
        } catch (JedisDataException e) {
            connections.giveBack(connection);
            throw Failures.errorReply(e);
        } catch (Throwable e) {
            connections.discard(connection);
            throw Failures.whileTalking(connections.address(), connection, e);
        }
        connections.giveBack(connection);
        return reply;
    }

    @Override
    public <T> CompletionStage<T> exclusively(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        long deadline = connections.borrowDeadline();
        return options.mode() == CallMode.BLOCKING
                ? Stages.flat(() -> borrow(deadline, options, Stages::of).lendTo(work))
                : workers.enqueue(() -> borrow(deadline, options, workers::run).lendTo(work));
    }

    private JedisSession borrow(long deadline, CallOptions options, JedisSession.Place place) {
        JedisSession session = new JedisSession(connections, connections.borrow(deadline), place);
        options.sending().run();
        return session;
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        return Stages.flat(() -> inboxes.open(channel, listener));
    }

    @Override
    public void trim() {
        connections.trim();
    }

    @Override
    public void close() {
        connections.close();
        inboxes.close();
        workers.close();
    }

    @Override
    public String toString() {
        return "JedisDriver[" + address() + "]";
    }
}
