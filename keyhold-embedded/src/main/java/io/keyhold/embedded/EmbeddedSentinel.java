package io.keyhold.embedded;

import io.keyhold.embedded.internal.RespConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A master with replicas under Redis Sentinel, each a real process.
 *
 * <pre>{@code
 * try (EmbeddedSentinel sentinel = EmbeddedSentinel.start()) {
 *     connect(sentinel.uri());                    // redis-sentinel://127.0.0.1:20001,…/0?master=mymaster
 *     EmbeddedRedis former = sentinel.master();
 *     former.kill();
 *     EmbeddedRedis master = sentinel.awaitFailover(former);
 * }
 * }</pre>
 *
 * <p>Members and sentinels are ordinary servers: kill, pause, resume and restart them one by one. A restarted one keeps the
 * configuration that Sentinel has written into its file. All of them end with this JVM. All methods may be called from any
 * thread.
 */
public final class EmbeddedSentinel implements AutoCloseable {
    private final EmbeddedReplicas servers;
    private final ServerGroup sentinels;
    private final String masterName;

    EmbeddedSentinel(EmbeddedReplicas servers, ServerGroup sentinels, String masterName) {
        this.servers = servers;
        this.sentinels = sentinels;
        this.masterName = masterName;
    }

    /**
     * Starts a master, two replicas and three sentinels, which consider a server down after 3 s of silence.
     *
     * @throws EmbeddedRedisException if a server does not start, or the sentinels do not agree
     */
    public static EmbeddedSentinel start() {
        return builder().start();
    }

    /** Returns a builder for other numbers, times and options. */
    public static EmbeddedSentinelBuilder builder() {
        return new EmbeddedSentinelBuilder();
    }

    /** Returns where clients connect to, as {@code redis-sentinel://127.0.0.1:PORT,…/0?master=NAME}. Contains no password. */
    public String uri() {
        return "redis-sentinel://" + sentinels.addresses() + "/0?master=" + masterName;
    }

    /** Returns the name under which the sentinels monitor the master. */
    public String masterName() {
        return masterName;
    }

    /** Returns the master and the replicas, also those that do not run, in the order of their start. */
    public List<EmbeddedRedis> members() {
        return servers.members();
    }

    /** Returns the sentinels, also those that do not run. */
    public List<EmbeddedRedis> sentinels() {
        return sentinels.all();
    }

    /**
     * Returns the member that most sentinels name as the master.
     *
     * @throws EmbeddedRedisException if fewer than a majority of all sentinels name the same one
     */
    public EmbeddedRedis master() {
        Map<EmbeddedRedis, Long> votes = sentinels.responsive().stream()
                .map(this::masterAccordingTo)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return votes.entrySet().stream()
                .filter(each -> each.getValue() > sentinels.all().size() / 2)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(
                        () -> new EmbeddedRedisException("no majority of the sentinels names one master: " + votes));
    }

    /**
     * Returns the member that this sentinel names as the master.
     *
     * @throws IllegalArgumentException if it is not one of the sentinels
     * @throws EmbeddedRedisException if it does not run, or is paused
     */
    public EmbeddedRedis masterAccordingTo(EmbeddedRedis sentinel) {
        sentinels.requireMember(sentinel);
        List<RespConnection.Reply> address = sentinels
                .ask(sentinel, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", masterName)
                .elements();
        Optional<EmbeddedRedis> named =
                address.size() == 2 ? servers.servers().onPort(address.get(1).text()) : Optional.empty();
        return named.orElseThrow(
                () -> new EmbeddedRedisException(sentinel + " names a master that is not a member: " + address));
    }

    /** Returns the members that run, are not paused, and say that they are replicas. */
    public List<EmbeddedRedis> replicas() {
        return servers.replicas();
    }

    /**
     * Orders a failover ({@code SENTINEL FAILOVER}) and returns the new master, as {@link #awaitFailover} does. Repeats the
     * order while the sentinel refuses it because another failover is in progress or no replica is fit.
     *
     * @throws EmbeddedRedisException if it does not happen in time
     */
    public EmbeddedRedis failover() {
        EmbeddedRedis former = master();
        sentinels.await("order of a failover", () -> {
            sentinels.ask(sentinels.responsive().get(0), "SENTINEL", "FAILOVER", masterName);
            return "";
        });
        return awaitFailover(former);
    }

    /**
     * Waits until every sentinel that runs, and is not paused, names the same master, which is another member than this one
     * and says itself that it is the master.
     *
     * @return the new master
     * @throws EmbeddedRedisException if that does not happen in time; the message says what is missing
     */
    public EmbeddedRedis awaitFailover(EmbeddedRedis former) {
        servers.servers().requireMember(former);
        sentinels.await("failover", () -> {
            String missing = missingAgreement();
            return !missing.isEmpty() || master() != former ? missing : "the master is still " + former;
        });
        return master();
    }

    /**
     * Waits until every sentinel that runs, and is not paused, names the same master, and knows every replica and every other
     * sentinel that does; and until the replicas replicate from that master. A failover ordered now will find a replica.
     *
     * @throws EmbeddedRedisException if that does not happen in time; the message says what is missing
     */
    public void awaitReady() {
        sentinels.await("agreement of the sentinels", () -> {
            String missing = missingAgreement();
            if (missing.isEmpty()) {
                missing = servers.missingReplication(master());
            }
            return missing.isEmpty() ? missingKnowledge() : missing;
        });
    }

    private String missingAgreement() {
        EmbeddedRedis master = master();
        for (EmbeddedRedis sentinel : sentinels.responsive()) {
            EmbeddedRedis named = masterAccordingTo(sentinel);
            if (named != master) {
                return sentinel + " still names " + named + " as the master, and not " + master;
            }
        }
        if (!master.isRunning() || master.isPaused()) {
            return "the master " + master + " does not run";
        }
        return servers.isMaster(master) ? "" : master + " does not say that it is the master";
    }

    private String missingKnowledge() {
        EmbeddedRedis master = master();
        List<EmbeddedRedis> replicas = servers.servers().responsive().stream()
                .filter(each -> each != master)
                .toList();
        for (EmbeddedRedis sentinel : sentinels.responsive()) {
            List<EmbeddedRedis> others = sentinels.responsive().stream()
                    .filter(each -> each != sentinel)
                    .toList();
            Map<String, Map<String, String>> peers = known(sentinel, "SENTINELS");
            Map<String, Map<String, String>> slaves = known(sentinel, "SLAVES");
            for (EmbeddedRedis other : others) {
                if (!"sentinel".equals(value(peers, other, "flags"))) {
                    return sentinel + " does not know sentinel " + other;
                }
            }
            for (EmbeddedRedis replica : replicas) {
                if (!"slave".equals(value(slaves, replica, "flags"))
                        || !"ok".equals(value(slaves, replica, "master-link-status"))) {
                    return sentinel + " does not know replica " + replica + " as fit";
                }
            }
        }
        return "";
    }

    /** Returns what a sentinel knows of its peers or of the replicas, by port. */
    private Map<String, Map<String, String>> known(EmbeddedRedis sentinel, String what) {
        return sentinels.ask(sentinel, "SENTINEL", what, masterName).elements().stream()
                .map(RespConnection.Reply::pairs)
                .collect(Collectors.toMap(each -> each.getOrDefault("port", ""), each -> each, (one, two) -> two));
    }

    private static String value(Map<String, Map<String, String>> known, EmbeddedRedis server, String name) {
        return known.getOrDefault(Integer.toString(server.port()), Map.of()).getOrDefault(name, "");
    }

    /**
     * Subscribes to the events of this sentinel. Events from now on can be awaited; close the subscription at the end.
     *
     * @throws IllegalArgumentException if it is not one of the sentinels
     * @throws EmbeddedRedisException if it does not run, or is paused
     */
    public SentinelEvents events(EmbeddedRedis sentinel) {
        sentinels.requireMember(sentinel);
        return SentinelEvents.of(sentinel, sentinels);
    }

    /** Ends all servers at once, the sentinels first, and deletes their directories. */
    @Override
    public void close() {
        sentinels.close();
        servers.close();
    }

    @Override
    public String toString() {
        return "EmbeddedSentinel[" + uri() + "]";
    }
}
