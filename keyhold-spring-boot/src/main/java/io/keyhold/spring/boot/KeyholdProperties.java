package io.keyhold.spring.boot;

import io.keyhold.CommandStyle;
import io.keyhold.Fairness;
import io.keyhold.HoldOptions;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code keyhold.*}. What is not set has the default of the library.
 *
 * @param enabled Whether to configure Keyhold.
 * @param uri Where the locks live, such as redis://localhost:6379, redis-sentinel://… or redis-cluster://…. Without it, the application's Redis connection
 *     factory says so.
 * @param uris Independent servers; a lock is held on a majority of them (quorum).
 * @param inMemory Whether locks live inside this JVM, for tests. Everything else that says where they live is ignored then.
 * @param clientName What operators see as the holder. Default: spring.application.name, if it is set.
 * @param keyPrefix What stands before every key.
 * @param commands How operations are made atomic on the server.
 * @param durability Whether grants survive a failover.
 * @param quorum How the servers of a quorum are asked.
 * @param defaults Options of all locks, read/write locks and semaphores, unless the program or an override says otherwise.
 * @param locks Overrides by the name of a lock. They win over the program.
 * @param semaphores Overrides by the name of a semaphore. They win over the program.
 * @param console The console as part of a web application.
 */
@ConfigurationProperties("keyhold")
public record KeyholdProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String uri,
        @DefaultValue List<String> uris,
        @DefaultValue("false") boolean inMemory,
        @Nullable String clientName,
        @Nullable String keyPrefix,
        @DefaultValue("scripts") CommandStyle commands,
        @DefaultValue DurabilityProperties durability,
        @DefaultValue QuorumProperties quorum,
        @DefaultValue LockProperties defaults,
        @DefaultValue Map<String, LockProperties> locks,
        @DefaultValue Map<String, SemaphoreProperties> semaphores,
        @DefaultValue ConsoleProperties console) {

    /**
     * Whether grants survive a failover.
     *
     * @param replicas How many replicas must have a grant before it is returned. 0: grants are not durable.
     * @param longestLease The upper bound of every lease, for which a server that may have lost data is quarantined.
     * @param acknowledgeTimeout How long a grant waits for its replicas.
     * @param admitFreshNodes Whether a server without a marker is new, and may grant at once.
     */
    public record DurabilityProperties(
            @DefaultValue("0") int replicas,
            @Nullable Duration longestLease,
            @Nullable Duration acknowledgeTimeout,
            @DefaultValue("false") boolean admitFreshNodes) {}

    /**
     * The console as part of a web application.
     *
     * @param enabled Whether to serve it. Needs keyhold-console and a servlet container.
     * @param path The path below which it is served.
     * @param allowRelease Whether the page may take locks from their holders.
     */
    public record ConsoleProperties(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/keyhold-console") String path,
            @DefaultValue("false") boolean allowRelease) {

        /** Checks the path. */
        public ConsoleProperties {
            if (!path.matches("(/[A-Za-z0-9._~-]+)+")) {
                throw new IllegalArgumentException(
                        "keyhold.console.path must be like /keyhold-console, was '" + path + "'");
            }
        }
    }

    /**
     * How the servers of a quorum are asked.
     *
     * @param nodeTimeout How long one server may take to reply.
     * @param longestLease The upper bound of every lease, for which a restarted server is quarantined.
     * @param admitFreshNodes Whether servers without a marker are new, and may vote at once.
     */
    public record QuorumProperties(
            @Nullable Duration nodeTimeout,
            @Nullable Duration longestLease,
            @DefaultValue("false") boolean admitFreshNodes) {}

    /**
     * How locks are acquired and held.
     *
     * @param lease How long a hold lasts. It is not renewed then, unless renew is true.
     * @param renew Whether the lease is renewed while held.
     * @param maxWait How long to wait in all.
     * @param retries Polls instead of waiting in the queue, and repeats an attempt this many times.
     * @param retryInterval Polls instead of waiting in the queue, with this pause between two attempts.
     * @param interruptOnLoss Whether a loss interrupts the thread that holds.
     * @param fairness In which order waiters get the lock.
     * @param maxLocalHandOvers How often a client hands a lock over among its threads before other clients get their turn.
     * @param maxLocalTime For how long a client hands a lock over among its threads before other clients get their turn.
     */
    public record LockProperties(
            @Nullable Duration lease,
            @Nullable Boolean renew,
            @Nullable Duration maxWait,
            @Nullable Integer retries,
            @Nullable Duration retryInterval,
            @Nullable Boolean interruptOnLoss,
            @Nullable Fairness fairness,
            @Nullable Integer maxLocalHandOvers,
            @Nullable Duration maxLocalTime) {

        LockOptions.Builder apply(LockOptions.Builder options) {
            hold(options, lease, renew, maxWait, retries, retryInterval, interruptOnLoss);
            set(fairness, options::fairness);
            set(maxLocalHandOvers, options::maxLocalHandOvers);
            set(maxLocalTime, options::maxLocalTime);
            return options;
        }
    }

    /**
     * How permits are acquired and held.
     *
     * @param permits How many permits there are.
     * @param lease How long a hold lasts. It is not renewed then, unless renew is true.
     * @param renew Whether the lease is renewed while held.
     * @param maxWait How long to wait in all.
     * @param retries Polls instead of waiting in the queue, and repeats an attempt this many times.
     * @param retryInterval Polls instead of waiting in the queue, with this pause between two attempts.
     * @param interruptOnLoss Whether a loss interrupts the thread that holds.
     */
    public record SemaphoreProperties(
            @Nullable Integer permits,
            @Nullable Duration lease,
            @Nullable Boolean renew,
            @Nullable Duration maxWait,
            @Nullable Integer retries,
            @Nullable Duration retryInterval,
            @Nullable Boolean interruptOnLoss) {

        SemaphoreOptions.Builder apply(SemaphoreOptions.Builder options) {
            hold(options, lease, renew, maxWait, retries, retryInterval, interruptOnLoss);
            set(permits, options::permits);
            return options;
        }
    }

    private static void hold(
            HoldOptions.Builder<?> options,
            @Nullable Duration lease,
            @Nullable Boolean renew,
            @Nullable Duration maxWait,
            @Nullable Integer retries,
            @Nullable Duration retryInterval,
            @Nullable Boolean interruptOnLoss) {
        set(lease, options::lease);
        set(renew, options::renew);
        set(maxWait, options::maxWait);
        set(retries, options::retries);
        set(retryInterval, options::retryInterval);
        set(interruptOnLoss, options::interruptOnLoss);
    }

    static <T> void set(@Nullable T value, Consumer<T> setter) {
        if (value != null) {
            setter.accept(value);
        }
    }
}
