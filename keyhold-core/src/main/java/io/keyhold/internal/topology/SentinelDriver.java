package io.keyhold.internal.topology;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries commands to the master that sentinels name, through a driver for that server.
 *
 * <p>The master is looked up before the first call, and again after a call that failed in a way that a failover could explain: the
 * connection broke or could not be opened, no reply came, or the server does not serve (a demoted master replies {@code READONLY}).
 * A call itself is never sent twice. Requests that wait survive this as any outage: they ask again, and find the new master.
 *
 * <p>When sentinels announce a switch, the old driver is closed at once. That cuts its grant channel, so that waiters ask the new master
 * without delay. Without the announcement the same happens later: a sentinel that demotes a master cuts its connections.
 */
public final class SentinelDriver implements RedisDriver {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final Sentinels sentinels;
    private final Function<RedisAddress, RedisDriver> servers;
    private final Object mutex = new Object();
    private volatile @Nullable Master current;
    /** The lookup in flight, which all calls share that need the master meanwhile. */
    private @Nullable CompletableFuture<Master> lookup;

    private boolean closed;

    /** A server that was master when it was looked up. */
    private static final class Master {

        private final RedisAddress address;
        private final RedisDriver driver;
        /** Whether a failover could explain what its calls met. */
        private volatile boolean doubtful;

        Master(RedisAddress address, RedisDriver driver) {
            this.address = address;
            this.driver = driver;
        }

        /** Notes the failure of a call, and passes the outcome on. */
        <T> CompletionStage<T> watched(CompletionStage<T> call) {
            return call.whenComplete((reply, failure) -> {
                if (failure != null && mayBeFailover(Stages.unwrapped(failure))) {
                    doubtful = true;
                }
            });
        }

        private static boolean mayBeFailover(Throwable failure) {
            return failure instanceof RedisConnectionException
                    || (failure instanceof RedisErrorException error && error.isServerUnavailable());
        }
    }

    /**
     * Creates the driver. Opens no connection.
     *
     * @param master the name of the master, as the sentinels know it
     * @param sentinels a driver for each sentinel; closed with this one
     * @param servers opens the driver for a server
     */
    public SentinelDriver(String master, List<RedisDriver> sentinels, Function<RedisAddress, RedisDriver> servers) {
        this.sentinels = new Sentinels(master, sentinels, this::switched);
        this.servers = servers;
    }

    @Override
    public String address() {
        return sentinels.toString();
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        return onMaster(options, (driver, how) -> driver.call(call, how));
    }

    @Override
    public <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        return onMaster(options, (driver, how) -> driver.withSession(how, work));
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        return onMaster(CallOptions.of(CallMode.ASYNCHRONOUS), (driver, how) -> driver.subscribe(channel, listener));
    }

    @Override
    public void trim() {
        Master known = current;
        if (known != null) {
            known.driver.trim();
        }
        sentinels.trim();
    }

    @Override
    public void close() {
        Master last;
        synchronized (mutex) {
            closed = true;
            last = current;
            current = null;
        }
        sentinels.close();
        if (last != null) {
            last.driver.close();
        }
    }

    /**
     * Does the work at the master. After a lookup it is asynchronous: the lookup ends on a thread of a driver, which must not block. And this thread
     * may be one itself, on which a lost connection has a call repeated: if it waited for the lookup, it could not read the replies to that.
     */
    private <T> CompletionStage<T> onMaster(
            CallOptions options, BiFunction<RedisDriver, CallOptions, CompletionStage<T>> work) {
        Master known = current;
        if (known != null && !known.doubtful) {
            return known.watched(work.apply(known.driver, options));
        }
        CallOptions later = new CallOptions(CallMode.ASYNCHRONOUS, options.lane(), options.sending());
        return Stages.compose(master(), master -> master.watched(work.apply(master.driver, later)));
    }

    /** Looks the master up, once for all that need it now. */
    private CompletableFuture<Master> master() {
        CompletableFuture<Master> mine = new CompletableFuture<>();
        synchronized (mutex) {
            if (closed) {
                return CompletableFuture.failedFuture(DriverFailures.closed(address()));
            }
            if (lookup != null) {
                return lookup;
            }
            lookup = mine;
        }
        CompletableFuture<Master> found = Stages.recover(
                Stages.compose(Stages.recover(sentinels.master(), this::asBefore), this::confirmed),
                failure -> CompletableFuture.failedFuture(notSent(failure)));
        found.whenComplete((master, failure) -> {
            synchronized (mutex) {
                lookup = null;
            }
            Stages.forward(found, mine);
        });
        return mine;
    }

    /** While no sentinel can be reached, the last master serves as long as it says that it is one. */
    private CompletionStage<RedisAddress> asBefore(Throwable failure) {
        Master known = current;
        if (known == null || !(failure instanceof RedisConnectionException)) {
            return CompletableFuture.failedFuture(failure);
        }
        LOG.log(Level.INFO, "{0}; staying with {1}", failure.getMessage(), known.address);
        return CompletableFuture.completedFuture(known.address);
    }

    /** Whatever the lookup met, the call that needed it was not sent. */
    private static Throwable notSent(Throwable failure) {
        return failure instanceof RedisConnectionException broken
                        && broken.failure() != RedisConnectionException.Failure.NOT_CONNECTED
                ? DriverFailures.notConnected("the master is not confirmed: " + broken.getMessage(), broken)
                : failure;
    }

    /** Asks the server itself whether it is a master: sentinels name the old one until a failover is complete. */
    private CompletionStage<Master> confirmed(RedisAddress address) {
        Master known = current;
        Master candidate =
                known != null && known.address.equals(address) ? known : new Master(address, servers.apply(address));
        CompletableFuture<Master> result = Stages.compose(
                candidate
                        .driver
                        .call(RedisCall.of("ROLE"), CallMode.ASYNCHRONOUS)
                        .exceptionallyCompose(failure -> {
                            return CompletableFuture.<@Nullable Object>failedStage(asNamed(Stages.unwrapped(failure)));
                        }),
                role -> {
                    if (role instanceof List<?> parts && !parts.isEmpty() && "master".equals(parts.get(0))) {
                        return use(candidate);
                    }
                    return CompletableFuture.failedFuture(DriverFailures.notConnected(
                            "the sentinels name " + address
                                    + " as master, but it is a replica; a failover may be in progress",
                            null));
                });
        return result.whenComplete((found, failure) -> {
            if (failure != null && candidate != known) {
                candidate.driver.close();
            }
        });
    }

    /** Sentinels with TLS may name a server without, and the reverse: the cure for one server would not help. */
    private static Throwable asNamed(Throwable failure) {
        return failure instanceof RedisConnectionException
                        && String.valueOf(failure.getMessage()).contains("TLS")
                ? DriverFailures.notConnected(
                        failure.getMessage()
                                + " (this is the master that the sentinels name; rediss-sentinel:// speaks TLS with"
                                + " sentinels and servers alike, redis-sentinel:// with neither)",
                        failure)
                : failure;
    }

    private CompletionStage<Master> use(Master found) {
        Master before;
        synchronized (mutex) {
            if (closed) {
                return CompletableFuture.failedFuture(DriverFailures.closed(address()));
            }
            before = current;
            current = found;
            found.doubtful = false;
        }
        if (before != null && before != found) {
            LOG.log(Level.INFO, "{0} is now {1}, was {2}", this, found.address, before.address);
            before.driver.close();
        }
        return CompletableFuture.completedFuture(found);
    }

    /** Moves to the new master at once when a sentinel announces it. A lookup that is in flight may have had its replies before. */
    private void switched() {
        CompletableFuture<Master> before;
        synchronized (mutex) {
            before = lookup;
        }
        if (before == null) {
            lookUpAgain();
        } else {
            before.whenComplete((found, failure) -> lookUpAgain());
        }
    }

    private void lookUpAgain() {
        Master known = current;
        if (known != null) {
            known.doubtful = true;
            master().whenComplete((found, failure) -> {
                if (failure != null) {
                    LOG.log(Level.DEBUG, "{0}: {1}", this, failure.getMessage());
                }
            });
        }
    }

    @Override
    public String toString() {
        return address();
    }
}
