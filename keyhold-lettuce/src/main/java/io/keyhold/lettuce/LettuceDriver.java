package io.keyhold.lettuce;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.ConnectionPool;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.DriverSession;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.spi.RedisUri;
import io.keyhold.spi.Stages;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries Keyhold's commands with Lettuce: all calls on one connection, and each piece of exclusive work and each
 * subscription on one of its own. While many calls are in flight, releases and renewals have a connection each, where they
 * do not have to wait behind requests. No call waits on the calling thread, in any {@link CallMode}; stages are
 * completed and listeners called on Lettuce's threads, which must not be held up.
 */
public final class LettuceDriver implements RedisDriver {

    /** Lettuce's own limit, for a URI that sets none. */
    private static final Duration LONGEST_TIMEOUT = RedisURI.DEFAULT_TIMEOUT_DURATION;

    private static final int SESSIONS_ON_SHARED_CLIENT = 64;
    private static final int MAX_TRIES = 2;

    private final Endpoint endpoint;
    private final Connector connector;
    private final ConnectionPool<LettuceConnection> sessions;
    private final SharedConnection requests;
    /** For lanes that do not have to wait behind many requests. */
    private final Map<CallLane, SharedConnection> others = new EnumMap<>(CallLane.class);

    private LettuceDriver(Endpoint endpoint, Connector connector, int maxSessions) {
        this.endpoint = endpoint;
        this.connector = connector;
        this.sessions = new ConnectionPool<>(maxSessions);
        this.requests = new SharedConnection(this::connect);
        others.put(CallLane.RELEASE, new SharedConnection(this::connect));
        others.put(CallLane.RENEWAL, new SharedConnection(this::connect));
    }

    /**
     * Creates a driver with a client of its own, which does not connect before the first call. It has one connection for
     * calls, two more under load, and for exclusive work at most {@link RedisUri#maxConnections()} for requests, as many for
     * releases and eight for renewals.
     *
     * @throws IllegalArgumentException if the URI names sentinels or a cluster, or a Unix domain socket and netty's native
     *     transport is missing, or a file for TLS that is missing or wrong
     */
    public static LettuceDriver open(RedisUri uri) {
        return open(uri, new SharedThreads());
    }

    /** Opens a driver on threads that it shares with other drivers. */
    static LettuceDriver open(RedisUri uri, SharedThreads threads) {
        Endpoint endpoint = new Endpoint(uri);
        Connector connector = new Connector(
                endpoint, ClientSettings.of(uri), () -> ClientSettings.ownClient(uri, threads), threads.join());
        return new LettuceDriver(endpoint, connector, uri.maxConnections());
    }

    /**
     * Creates a driver that shares the threads ({@code ClientResources}) and the socket and TLS options of an application's
     * client, but has connections of its own, because Keyhold cannot work with connections that reconnect by
     * themselves: Lettuce would send commands again whose callers have given up. The client is neither changed nor
     * shut down, and must live longer than the driver.
     *
     * @param uri where to connect to; its timeout (60 s unless it says otherwise) holds for each command and for
     *     opening a connection
     */
    public static LettuceDriver using(RedisClient client, RedisURI uri) {
        return sharing(client, uri);
    }

    /**
     * Opens drivers for the nodes of a cluster that share the threads and the socket and TLS options of an application's cluster client, as
     * {@link #using} does. The client's own view of the cluster is not used.
     *
     * @param uri one node of the cluster, with the credentials and the timeout for all
     */
    public static RedisCluster usingCluster(RedisClusterClient client, RedisURI uri) {
        return usingCluster(client, List.of(uri));
    }

    /**
     * Opens drivers for the nodes of a cluster, as {@link #usingCluster(RedisClusterClient, RedisURI)} does.
     *
     * @param uris nodes of the cluster, at least one of which can be reached at the start; the first has the credentials and the timeout for all
     */
    public static RedisCluster usingCluster(RedisClusterClient client, List<RedisURI> uris) {
        if (uris.isEmpty()) {
            throw new IllegalArgumentException("uris must name at least one node of the cluster, were none");
        }
        RedisURI uri = uris.get(0);
        List<RedisAddress> nodes = uris.stream()
                .map(node -> new RedisAddress(node.getHost(), node.getPort()))
                .toList();
        return RedisCluster.of(() -> nodes, node -> sharing(client, at(node, uri)), () -> {});
    }

    private static RedisURI at(RedisAddress node, RedisURI uri) {
        return RedisURI.builder(uri).withHost(node.host()).withPort(node.port()).build();
    }

    private static LettuceDriver sharing(AbstractRedisClient client, RedisURI uri) {
        Duration timeout = uri.getTimeout().isZero() ? LONGEST_TIMEOUT : uri.getTimeout();
        Endpoint endpoint = new Endpoint(addressOf(uri), timeout, timeout, null);
        Connector connector =
                new Connector(endpoint, uri, () -> ClientSettings.sharingClient(client, uri, timeout), () -> {});
        return new LettuceDriver(endpoint, connector, SESSIONS_ON_SHARED_CLIENT);
    }

    private static String addressOf(RedisURI uri) {
        if (uri.getSocket() != null) {
            return uri.getSocket();
        }
        return uri.getHost() != null ? uri.getHost() + ":" + uri.getPort() : "master " + uri.getSentinelMasterId();
    }

    @Override
    public String address() {
        return endpoint.address();
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        return connector.isClosed()
                ? CompletableFuture.failedFuture(endpoint.closed())
                : connection(options.lane()).call(call, options);
    }

    /** Returns the connection for the lane. An idle client needs one for all lanes. */
    private SharedConnection connection(CallLane lane) {
        return requests.isCrowded() ? others.getOrDefault(lane, requests) : requests;
    }

    @Override
    public <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        return connector.isClosed()
                ? CompletableFuture.failedFuture(endpoint.closed())
                : lend(options, work, MAX_TRIES);
    }

    /** If the connection turns out to be lost before anything was sent on it, the work begins again on the next one. */
    private <T> CompletableFuture<T> lend(
            CallOptions options, Function<RedisSession, CompletionStage<T>> work, int tries) {
        return Stages.compose(borrow(options.lane()), connection -> {
            Session session = new Session(options.lane(), connection);
            return Stages.recover(
                    DriverSession.lend(session, options, work),
                    failure -> tries > 1 && session.isUnused()
                            ? lend(options, work, tries - 1)
                            : CompletableFuture.failedFuture(failure));
        });
    }

    private CompletableFuture<LettuceConnection> borrow(CallLane lane) {
        Duration timeout = endpoint.connectTimeout();
        CompletableFuture<Boolean> place = Stages.recover(
                sessions.reserve(lane, timeout),
                silence -> CompletableFuture.failedFuture(DriverFailures.exhausted(address(), timeout)));
        return Stages.compose(
                place,
                reserved -> Stages.recover(Stages.flat(() -> idleOrNew(lane)), failure -> {
                    sessions.releasePlace(lane);
                    return CompletableFuture.failedFuture(failure);
                }));
    }

    private CompletableFuture<LettuceConnection> idleOrNew(CallLane lane) {
        LettuceConnection idle = sessions.pollIdle();
        if (idle == null) {
            return connect();
        }
        return Stages.compose(idle.isAliveFor(lane), alive -> {
            if (alive) {
                return CompletableFuture.completedFuture(idle);
            }
            sessions.discard(idle);
            return connect();
        });
    }

    /** Opens a connection of the present generation, for the pool or to be shared. */
    private CompletableFuture<LettuceConnection> connect() {
        return connector.connect(sessions.generation());
    }

    private final class Session implements DriverSession.Connection {

        private final CallLane lane;
        private final LettuceConnection connection;
        private volatile boolean used;

        Session(CallLane lane, LettuceConnection connection) {
            this.lane = lane;
            this.connection = connection;
        }

        @Override
        public CompletionStage<List<@Nullable Object>> send(List<RedisCall> calls) {
            return Stages.recover(connection.send(calls, () -> used = true), failure -> {
                used |= !LettuceConnection.isNotSent(failure); // After a timeout it may be sent later.
                return CompletableFuture.failedFuture(failure);
            });
        }

        /** Returns whether the connection was lost before anything was sent on it. */
        boolean isUnused() {
            return !used && connection.isBroken();
        }

        @Override
        public void close() {
            connection.close();
        }

        @Override
        public void release() {
            sessions.release(lane, connection);
        }
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        return Stages.compose(
                connector.connectForSubscription(listener), subscription -> subscription.subscribe(channel));
    }

    @Override
    public void trim() {
        sessions.trim(0); // The shared connection for requests stays.
        others.values().forEach(SharedConnection::trim);
    }

    @Override
    public void close() {
        connector.close();
    }

    @Override
    public String toString() {
        return "LettuceDriver[" + address() + "]";
    }
}
