package io.keyhold.jedis;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.DriverSession;
import io.keyhold.spi.PendingReply;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.spi.RedisUri;
import io.keyhold.spi.Stages;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.Pool;

/**
 * Carries Keyhold's commands with Jedis.
 *
 * <p>A {@link CallMode#BLOCKING} call does its input and output on the calling thread, be it a platform thread or a
 * virtual one; where more than eight threads run scripts at a time, one of them does it for several. An {@link CallMode#ASYNCHRONOUS} call does it on one of at most eight daemon threads of its
 * {@linkplain CallLane lane}, which end when they have had nothing to do for two seconds; or, if the caller is ready to read the reply of
 * a quick server, on the calling thread. A subscription has a daemon
 * thread and a connection of its own, from {@link #subscribe} until it ends.
 *
 * <p>Calls end by their timeouts and not by interrupts: a thread that was interrupted can still release its lock.
 */
public final class JedisDriver implements RedisDriver {

    private final Connections connections;
    private final Map<CallLane, IoExecutor> executors = new EnumMap<>(CallLane.class);
    /** Empty if the connections are the application's. */
    private final Map<CallLane, SharedCalls> shared = new EnumMap<>(CallLane.class);

    private final Quickness quickness = new Quickness();
    private final Set<JedisSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private volatile long lastReply = System.nanoTime();
    private volatile boolean closed;

    /** Does the input and output of a session on a thread that may wait for it. */
    private interface Place {
        <T> CompletionStage<T> run(Supplier<CompletionStage<T>> work);
    }

    private JedisDriver(Function<JedisDriver, Connections> opened, int maxShared) {
        this.connections = opened.apply(this);
        for (CallLane lane : CallLane.values()) {
            executors.put(lane, new IoExecutor(connections::address));
            if (maxShared > 0) {
                shared.put(lane, new SharedCalls(connections, maxShared, calls -> exchange(lane, calls)));
            }
        }
    }

    /**
     * Creates a driver with connections of its own: at most {@link RedisUri#maxConnections()} for requests, as many for
     * releases and eight for renewals, so that none of them takes another's. All share those that are idle, and all but one
     * of these are closed after some seconds. Does not connect before the first call.
     *
     * @throws IllegalArgumentException if the URI names sentinels or a cluster, or a Unix domain socket, which Jedis does not
     *     speak, or a file for TLS that is missing or wrong
     */
    public static JedisDriver open(RedisUri uri) {
        ConnectionSettings.check(uri);
        return new JedisDriver(driver -> new OwnConnections(uri), uri.maxConnections());
    }

    /**
     * Creates a driver that borrows the connections of an application's client, and so has its timeouts, user and database.
     * The client is neither changed nor closed, and calls that are in flight when the driver is closed come to their end. A
     * client with a socket timeout of 0 would wait for a reply indefinitely; give it one.
     *
     * <p>All lanes wait for the client's pool alike: while the application has lent all connections, leases are not
     * renewed, for at most the pool's {@code maxWait} (two seconds if it has none). Leave room for a few. When the
     * server says that it does not serve (READONLY, say), the idle connections of the pool are closed with the one on which
     * it said so.
     *
     * <p>Waiting for locks takes one connection of the client's pool for as long as the Keyhold client lives; leave room for
     * it. It is not returned to the pool afterwards, but closed.
     *
     * <p>A client of sentinels finds the master by itself; its driver follows it when it moves to another one.
     *
     * @param client a {@link RedisClient}, or with Jedis 8 a {@link RedisSentinelClient}. Jedis 7.0 and 7.1 have {@code JedisPooled} instead: pass its
     *     {@code getPool()}
     * @throws IllegalArgumentException if the client is another, such as one for a cluster
     */
    public static JedisDriver using(UnifiedJedis client) {
        try {
            return client instanceof RedisSentinelClient sentinels
                    ? onMaster(sentinels::getPrimaryNodesConnectionMap)
                    : using(((RedisClient) client).getPool());
        } catch (NoSuchMethodError e) { // Jedis 7 has the map only in the provider.
            throw new IllegalArgumentException(
                    "a RedisSentinelClient of Jedis 7 does not show its connections; pass a SentineledConnectionProvider",
                    e);
        } catch (ClassCastException | NoClassDefFoundError e) { // Jedis before 7.2 does not have the class.
            throw new IllegalArgumentException(
                    client.getClass().getSimpleName() + " is not a RedisClient; pass its pool of connections instead",
                    e);
        }
    }

    /** Creates a driver that borrows the connections of an application's pool, as {@link #using(UnifiedJedis)} does. */
    public static JedisDriver using(Pool<Connection> pool) {
        return new JedisDriver(driver -> new ApplicationConnections(pool), 0);
    }

    /**
     * Creates a driver that borrows the connections of a provider which finds the master by sentinels, and follows it, as
     * {@link #using(UnifiedJedis)} does. A client of Jedis 7 can be built with the same provider ({@code connectionProvider}).
     */
    public static JedisDriver using(SentineledConnectionProvider provider) {
        return onMaster(provider::getPrimaryNodesConnectionMap);
    }

    private static JedisDriver onMaster(Supplier<? extends Map<?, Pool<Connection>>> masters) {
        return new JedisDriver(driver -> driver.followMaster(masters), 0);
    }

    /** Closes the subscriptions when the master changes: a grant channel must be on the server that has the locks. */
    private Connections followMaster(Supplier<? extends Map<?, Pool<Connection>>> masters) {
        return new ApplicationConnections(
                () -> masters.get().values().iterator().next(),
                () -> subscriptions.forEach(
                        subscription -> subscription.close(DriverFailures.lost("the former master"))));
    }

    /**
     * Opens drivers for the nodes of a cluster that borrow the connections of an application's cluster client, as {@link #using(UnifiedJedis)}
     * does. The client's own view of the cluster is used only to find its pools: a node that joins the cluster later is used as soon as
     * the client knows it.
     *
     * @param client a {@code RedisClusterClient}, or a {@code JedisCluster}
     * @throws IllegalArgumentException if the client is another, such as one for a single server
     */
    @SuppressWarnings("deprecation") // Jedis before 7.2 has only JedisCluster.
    public static RedisCluster usingCluster(UnifiedJedis client) {
        if (client instanceof JedisCluster cluster) {
            return new ApplicationCluster(cluster::getClusterNodes);
        }
        try {
            RedisClusterClient cluster = (RedisClusterClient) client;
            return new ApplicationCluster(cluster::getClusterNodes);
        } catch (ClassCastException | NoClassDefFoundError e) {
            throw new IllegalArgumentException(
                    client.getClass().getSimpleName()
                            + " is not a client of a cluster; for a single server call using(…)",
                    e);
        }
    }

    @Override
    public String address() {
        return connections.address();
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        if (options.mode() != CallMode.BLOCKING) {
            return enqueue(options.lane(), () -> exchange(call, options));
        }
        // Only scripts: a command that blocks on the server would hold up those behind it.
        SharedCalls others = call.command().equals("EVALSHA") ? shared.get(options.lane()) : null;
        return onThisThread(() -> others == null
                ? exchange(call, options)
                : CompletableFuture.completedFuture(others.exchange(call, options.sending())));
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options, Consumer<PendingReply> unread) {
        return onThisThread(() -> {
            JedisConnection connection = quickness.isQuick() ? connections.borrowNow(options.lane()) : null;
            if (connection == null) {
                return call(call, options);
            }
            SentCall sent = new SentCall(connection, options.lane());
            try {
                options.sending().run();
                connection.send(call);
            } catch (Throwable e) {
                giveBack(options.lane(), connection);
                throw e;
            }
            unread.accept(sent);
            return sent.reply;
        });
    }

    /** A command that was written on the thread of its caller. */
    private final class SentCall implements PendingReply {

        private final JedisConnection connection;
        private final CallLane lane;
        private final long sent = System.nanoTime();
        private final CompletableFuture<@Nullable Object> reply = new CompletableFuture<>();

        SentCall(JedisConnection connection, CallLane lane) {
            this.connection = connection;
            this.lane = lane;
        }

        @Override
        public boolean read() {
            long left = sent + Quickness.LONGEST_NANOS - System.nanoTime();
            boolean isHere = uninterrupted(() -> connection.awaitReply(left > 0 ? 1 : 0));
            if (isHere) {
                complete();
            }
            return isHere;
        }

        @Override
        public void readInBackground() {
            quickness.noteSlow();
            CompletionStage<?> reading = executor(lane).run(() -> {
                complete();
                return reply;
            });
            reading.whenComplete((value, failure) -> {
                if (!reply.isDone()) { // No thread took it: the driver is closed, or the system has none left.
                    connection.close();
                    complete();
                }
            });
        }

        private void complete() {
            Stages.forward(onThisThread(this::receive), reply);
        }

        private CompletionStage<@Nullable Object> receive() {
            try {
                return CompletableFuture.completedFuture(connection.receive());
            } finally {
                giveBack(lane, connection, sent);
            }
        }
    }

    private void exchange(CallLane lane, List<SharedCalls.Call> calls) {
        JedisConnection connection = connections.borrow(lane);
        try {
            connection.exchangeAll(calls);
        } finally {
            giveBack(lane, connection);
        }
    }

    private CompletionStage<@Nullable Object> exchange(RedisCall call, CallOptions options) {
        JedisConnection connection = connections.borrow(options.lane());
        long sent = System.nanoTime();
        try {
            options.sending().run();
            return CompletableFuture.completedFuture(connection.exchange(call));
        } finally {
            giveBack(options.lane(), connection, sent);
        }
    }

    /** Takes back the connection of one call, which was sent at this time. */
    private void giveBack(CallLane lane, JedisConnection connection, long sent) {
        if (!connection.isBroken()) {
            quickness.replied(System.nanoTime() - sent);
        }
        giveBack(lane, connection);
    }

    private void giveBack(CallLane lane, JedisConnection connection) {
        long reply = connection.lastReply();
        if (!connection.isBroken() && reply - lastReply > 0) { // A session may end long after its last reply.
            lastReply = reply;
        }
        connections.giveBack(lane, connection);
    }

    @Override
    public <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        return options.mode() == CallMode.BLOCKING
                ? onThisThread(() -> session(options, JedisDriver::onThisThread, work))
                : enqueue(options.lane(), () -> session(options, executor(options.lane())::run, work));
    }

    private <T> CompletionStage<T> session(
            CallOptions options, Place place, Function<RedisSession, CompletionStage<T>> work) {
        JedisConnection connection = connections.borrow(options.lane());
        return DriverSession.lend(
                new DriverSession.Connection() {
                    @Override
                    public CompletionStage<List<@Nullable Object>> send(List<RedisCall> calls) {
                        return place.run(() -> CompletableFuture.completedFuture(connection.exchange(calls)));
                    }

                    @Override
                    public void takeBack(boolean clean) {
                        if (!clean) {
                            connection.close();
                        }
                        giveBack(options.lane(), connection);
                    }
                },
                options,
                work);
    }

    /**
     * Does the work inside this call. A pending interrupt is put aside meanwhile: Java closes the socket of a virtual thread
     * that touches it while interrupted, and the work may be the release of a lock by an interrupted thread.
     */
    private static <T> CompletionStage<T> onThisThread(Supplier<CompletionStage<T>> work) {
        return uninterrupted(() -> Stages.flat(work));
    }

    private static <T> T uninterrupted(Supplier<T> work) {
        boolean interrupted = Thread.interrupted();
        try {
            return work.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Does the work on a thread of the lane. The time in the queue does not count: a thousand calls at a distance of 200 ms
     * wait for each other for 25 s, and none of them is lost. But behind calls to which the server does not reply, the queue
     * would take that many timeouts to empty.
     */
    private <T> CompletionStage<T> enqueue(CallLane lane, Supplier<CompletionStage<T>> work) {
        long queued = System.nanoTime();
        return executor(lane).enqueue(() -> {
            long last = lastReply;
            long silence = System.nanoTime() - (last - queued > 0 ? last : queued);
            if (silence > connections.timeout().toNanos()) {
                throw DriverFailures.notConnected(
                        "not sent: no reply from " + address() + " to any call within "
                                + connections.timeout().toMillis() + " ms",
                        null);
            }
            return work.get();
        });
    }

    private IoExecutor executor(CallLane lane) {
        return Objects.requireNonNull(executors.get(lane));
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        JedisSubscription subscription = new JedisSubscription(connections, channel, listener);
        subscriptions.add(subscription);
        try {
            if (closed) { // Then close() may have missed it.
                throw DriverFailures.closed(address());
            }
            return subscription.start(() -> subscriptions.remove(subscription));
        } catch (Throwable e) { // The system may have no thread left.
            subscriptions.remove(subscription);
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void trim() {
        connections.trim();
    }

    @Override
    public void close() {
        closed = true;
        connections.close();
        subscriptions.forEach(subscription -> subscription.close(DriverFailures.closed(address())));
        executors.values().forEach(IoExecutor::close);
    }

    @Override
    public String toString() {
        return "JedisDriver[" + address() + "]";
    }
}
