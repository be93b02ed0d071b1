package io.keyhold.embedded;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Builds a master with replicas and sentinels. A setting that is not given is as {@link EmbeddedSentinel#start()} says. */
public final class EmbeddedSentinelBuilder extends EmbeddedTopologyBuilder<EmbeddedSentinelBuilder> {
    private static final int MAX_SERVERS = 20;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    private int replicas = 2;
    private int sentinels = 3;
    private String masterName = "mymaster";
    private Duration downAfter = Duration.ofSeconds(3);
    private Duration failoverTimeout = Duration.ofSeconds(5);
    private @Nullable String sentinelPassword;

    EmbeddedSentinelBuilder() {}

    @Override
    EmbeddedSentinelBuilder self() {
        return this;
    }

    /**
     * Sets the number of replicas.
     *
     * @param replicas from 1 to 20; default 2
     */
    public EmbeddedSentinelBuilder replicas(int replicas) {
        this.replicas = checkedCount("replicas", replicas, 1, MAX_SERVERS);
        return this;
    }

    /**
     * Sets the number of sentinels. A majority of them decides on a failover.
     *
     * @param sentinels from 1 to 20; default 3
     */
    public EmbeddedSentinelBuilder sentinels(int sentinels) {
        this.sentinels = checkedCount("sentinels", sentinels, 1, MAX_SERVERS);
        return this;
    }

    /**
     * Sets the name under which the sentinels monitor the master. Default: {@code mymaster}.
     *
     * @param masterName letters, digits, '.', '_' and '-'
     */
    public EmbeddedSentinelBuilder masterName(String masterName) {
        if (!NAME.matcher(masterName).matches()) {
            throw new IllegalArgumentException(
                    "masterName \"" + masterName + "\": must consist of letters, digits, '.', '_' and '-'");
        }
        this.masterName = masterName;
        return this;
    }

    /**
     * Sets how long a server must be silent before a sentinel considers it down ({@code down-after-milliseconds}). On a
     * busy machine a short time causes failovers of healthy servers. Default: 3 s.
     *
     * @param downAfter from 1 ms to 1 hour
     */
    public EmbeddedSentinelBuilder downAfter(Duration downAfter) {
        checkedMillis("downAfter", downAfter);
        this.downAfter = downAfter;
        return this;
    }

    /**
     * Sets the time limit of a failover, and half the time until the sentinels try again ({@code failover-timeout}).
     * Default: 5 s.
     *
     * @param failoverTimeout from 1 ms to 1 hour
     */
    public EmbeddedSentinelBuilder failoverTimeout(Duration failoverTimeout) {
        checkedMillis("failoverTimeout", failoverTimeout);
        this.failoverTimeout = failoverTimeout;
        return this;
    }

    /** Sets the password that the sentinels demand from clients and from each other. Default: none. */
    public EmbeddedSentinelBuilder sentinelPassword(String sentinelPassword) {
        this.sentinelPassword = checkedPassword(sentinelPassword);
        return this;
    }

    /**
     * Starts all servers and returns when each sentinel knows the master, every replica and every other sentinel.
     *
     * @throws EmbeddedRedisException if a server does not start, or the sentinels do not agree; no server is left then
     */
    public EmbeddedSentinel start() {
        EmbeddedReplicas servers = startReplicated(replicas);
        ServerGroup started = new ServerGroup(sentinelPassword, timeout());
        try {
            for (int i = 0; i < sentinels; i++) {
                started.start(sentinel(servers.members().get(0)));
            }
            EmbeddedSentinel topology = new EmbeddedSentinel(servers, started, masterName);
            topology.awaitReady();
            return topology;
        } catch (RuntimeException e) {
            started.close();
            servers.close();
            throw e;
        }
    }

    private EmbeddedRedisBuilder sentinel(EmbeddedRedis master) {
        EmbeddedRedisBuilder builder = plainServer(EmbeddedRedis.builder().argument("--sentinel"))
                .option("sentinel", "monitor", masterName, master.host(), text(master.port()), text(sentinels / 2 + 1))
                .option("sentinel", "down-after-milliseconds", masterName, text(downAfter.toMillis()))
                .option("sentinel", "failover-timeout", masterName, text(failoverTimeout.toMillis()))
                .option("sentinel", "parallel-syncs", masterName, text(replicas));
        String password = password();
        if (password != null) {
            builder.option("sentinel", "auth-pass", masterName, password);
        }
        if (sentinelPassword != null) {
            builder.option("requirepass", sentinelPassword).option("sentinel", "sentinel-pass", sentinelPassword);
        }
        return builder;
    }

    private static String text(long number) {
        return Long.toString(number);
    }
}
