package io.keyhold.jedis;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.spi.RedisUri;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.Pool;

/**
 * Carries Keyhold's commands with Jedis.
 *
 * <p>A {@link CallMode#BLOCKING} call does its input and output on the calling thread, be it a platform thread or a
 * virtual one. An {@link CallMode#ASYNCHRONOUS} call does it on one of at most eight daemon threads of its
 * {@linkplain CallLane lane}, which end when they have had nothing to do for two seconds. A subscription has a daemon thread and a connection of its own, from
 * {@link #subscribe} until it ends.
 *
 * <p>Calls end by their timeouts and not by interrupts: a thread that was interrupted can still release its lock.
 */
public final class JedisDriver implements RedisDriver {

    private final ConnectionSource connections;
    private final Map<CallLane, Workers> workers = new EnumMap<>(CallLane.class);
    private final Inboxes inboxes;
    private final LastReply lastReply = new LastReply();

    private JedisDriver(ConnectionSource connections) {
        this.connections = connections;
        for (CallLane lane : CallLane.values()) {
            workers.put(lane, new Workers(connections::address));
        }
        this.inboxes = new Inboxes(connections);
    }

    /**
     * A driver with connections of its own: at most {@link RedisUri#maxConnections()} for requests, as many for releases
     * and eight for renewals, so that none of them takes another's. All share those that are idle, and all but one of
     * these are closed after some seconds. Connects to nothing yet.
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
     * <p>All lanes wait for the client's pool alike: while the application has lent all connections, leases are not
     * renewed, for at most the pool's {@code maxWait} (two seconds if it has none). Leave room for a few. When the
     * server says that it does not serve (READONLY, say), the idle connections of the pool are closed with the one that
     * heard it.
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
        return options.mode() == CallMode.BLOCKING
                ? OnThisThread.of(() -> exchange(call, options, connections.borrowDeadline()))
                : enqueue(options.lane(), deadline -> OnThisThread.of(() -> exchange(call, options, deadline)));
    }

    private @Nullable Object exchange(RedisCall call, CallOptions options, long deadline) {
        Loan loan = borrow(options, deadline);
        Object reply;
        try {
            reply = Replies.decoded(Wire.exchange(loan.connection(), call));
        } catch (JedisDataException e) {
            lastReply.isNow();
            RedisErrorException error = Failures.errorReply(e);
            connections.giveBack(loan, error);
            throw error;
        } catch (Throwable e) {
            connections.discard(loan);
            throw Failures.whileTalking(connections.address(), loan.connection(), e);
        }
        lastReply.isNow();
        connections.giveBack(loan);
        return reply;
    }

    private Loan borrow(CallOptions options, long deadline) {
        Loan loan = connections.borrow(options.lane(), deadline);
        try {
            options.sending().run();
            return loan;
        } catch (Throwable e) {
            connections.giveBack(loan); // Nothing was sent.
            throw e;
        }
    }

    @Override
    public <T> CompletionStage<T> exclusively(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        return options.mode() == CallMode.BLOCKING
                ? OnThisThread.flat(() -> session(options, connections.borrowDeadline(), OnThisThread::of)
                        .lendTo(work))
                : enqueue(
                        options.lane(),
                        deadline -> session(options, deadline, workers(options.lane())::run)
                                .lendTo(work));
    }

    private JedisSession session(CallOptions options, long deadline, JedisSession.Place place) {
        return new JedisSession(connections, borrow(options, deadline), lastReply, place);
    }

    /**
     * Has the work done by a worker of the lane, which gives it the deadline for its connection. The time in the queue
     * does not count: a thousand calls at a distance of 200 ms wait for each other for 25 s, and none of them is lost.
     * But behind calls to which the server does not reply, the queue would take that many timeouts to empty.
     */
    private <T> CompletionStage<T> enqueue(CallLane lane, LongFunction<CompletionStage<T>> work) {
        long queued = System.nanoTime();
        return workers(lane).enqueue(() -> {
            if (lastReply.nanosOfSilence(queued) > connections.borrowTimeout().toNanos()) {
                throw Failures.silent(connections.address(), connections.borrowTimeout());
            }
            return work.apply(connections.borrowDeadline());
        });
    }

    private Workers workers(CallLane lane) {
        return Objects.requireNonNull(workers.get(lane));
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        return OnThisThread.flat(() -> inboxes.open(channel, listener));
    }

    @Override
    public void trim() {
        connections.trim();
    }

    @Override
    public void close() {
        connections.close();
        inboxes.close();
        workers.values().forEach(Workers::close);
    }

    @Override
    public String toString() {
        return "JedisDriver[" + address() + "]";
    }
}
