package io.keyhold.lettuce;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.spi.RedisUri;
import io.keyhold.spi.Stages;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries Keyhold's commands with Lettuce: all calls on one connection, and each piece of exclusive work and each
 * subscription on one of its own. While many calls are in flight, releases and renewals have a connection each, where they
 * do not have to wait behind requests. No call waits on the calling thread, whatever its {@link CallMode}; stages are
 * completed and listeners called on Lettuce's threads, which must not be held up.
 */
public final class LettuceDriver implements RedisDriver {

    /** Lettuce's own limit, for a URI that sets none. */
    private static final Duration LONGEST_TIMEOUT = RedisURI.DEFAULT_TIMEOUT_DURATION;

    private static final int SESSIONS_ON_SHARED_CLIENT = 64;

    private final Endpoint endpoint;
    private final Dialer dialer;
    private final SharedLine requests;
    private final SharedLine releases;
    private final SharedLine renewals;
    private final SessionLines sessions;
    private volatile boolean closed;

    private LettuceDriver(Endpoint endpoint, Dialer dialer, int mostSessions) {
        this.endpoint = endpoint;
        this.dialer = dialer;
        this.requests = new SharedLine(dialer);
        this.releases = new SharedLine(dialer);
        this.renewals = new SharedLine(dialer);
        this.sessions = new SessionLines(dialer, endpoint, mostSessions);
    }

    /**
     * A driver with a client of its own. Connects to nothing yet. Has one connection for calls, two more under load, and
     * at most {@link RedisUri#maxConnections()} for exclusive work that requests, as many for releases and eight for
     * renewals.
     *
     * @throws IllegalArgumentException if the URI names a Unix domain socket and netty's native transport is missing, or
     *     a trust store that cannot be read
     */
    public static LettuceDriver open(RedisUri uri) {
        return open(uri, new Threads(1));
    }

    /** The same on threads that it shares with other drivers. */
    static LettuceDriver open(RedisUri uri, Threads threads) {
        Endpoint endpoint = new Endpoint(uri.address(), uri.connectTimeout(), uri.commandTimeout());
        RedisURI lettuceUri = ClientSettings.of(uri);
        LazyClient client = new LazyClient(() -> ClientSettings.ownClient(uri, threads), threads::leave);
        return new LettuceDriver(endpoint, new Dialer(endpoint, lettuceUri, client), uri.maxConnections());
    }

    /**
     * A driver that shares the threads ({@code ClientResources}) and the socket and TLS options of an application's
     * client, but has connections of its own, because Keyhold cannot work with connections that reconnect by
     * themselves: Lettuce would send commands again whose callers have given them up. The client is neither changed nor
     * shut down, and must live longer than the driver.
     *
     * @param uri where to connect to; its timeout (60 s unless it says otherwise) holds for each command and for
     *     opening a connection
     */
    public static LettuceDriver using(RedisClient client, RedisURI uri) {
        Duration timeout = uri.getTimeout().isZero() ? LONGEST_TIMEOUT : uri.getTimeout();
        Endpoint endpoint = new Endpoint(addressOf(uri), timeout, timeout);
        LazyClient sharing = new LazyClient(() -> ClientSettings.sharingClient(client, uri, timeout), () -> {});
        return new LettuceDriver(endpoint, new Dialer(endpoint, uri, sharing), SESSIONS_ON_SHARED_CLIENT);
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
        return closed
                ? CompletableFuture.failedFuture(DriverFailures.closed(endpoint.address()))
                : line(options.lane()).call(call, options);
    }

    /** An idle client needs one connection for all lanes. */
    private SharedLine line(CallLane lane) {
        if (!requests.isCrowded()) {
            return requests;
        }
        return switch (lane) {
            case REQUEST -> requests;
            case RELEASE -> releases;
            case RENEWAL -> renewals;
        };
    }

    @Override
    public <T> CompletionStage<T> exclusively(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        if (closed) {
            return CompletableFuture.failedFuture(DriverFailures.closed(endpoint.address()));
        }
        return Stages.compose(sessions.borrow(options.lane()), line -> {
            LettuceSession session = new LettuceSession(line);
            // The line was lost while it was idle, and nothing was sent on it: the work begins again on another.
            return Stages.recover(
                    lend(line, session, options, work),
                    failure -> session.isUnused()
                            ? Stages.compose(
                                    sessions.borrow(options.lane()),
                                    next -> lend(next, new LettuceSession(next), options, work))
                            : CompletableFuture.failedFuture(failure));
        });
    }

    private <T> CompletableFuture<T> lend(
            Line line, LettuceSession session, CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        return Stages.flat(() -> {
                    options.sending().run();
                    return session.lendTo(work);
                })
                .toCompletableFuture()
                .whenComplete((value, failure) -> sessions.giveBack(options.lane(), line));
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        return closed
                ? CompletableFuture.failedFuture(DriverFailures.closed(endpoint.address()))
                : Stages.compose(dialer.dialToListen(listener), inbox -> inbox.subscribe(channel));
    }

    @Override
    public void trim() {
        sessions.trim();
        releases.trim();
        renewals.trim();
    }

    @Override
    public void close() {
        closed = true;
        dialer.close();
    }

    @Override
    public String toString() {
        return "LettuceDriver[" + address() + "]";
    }
}
