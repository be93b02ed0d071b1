package io.keyhold.embedded;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings that all topologies share.
 *
 * @param <B> the builder itself
 */
public abstract sealed class EmbeddedTopologyBuilder<B extends EmbeddedTopologyBuilder<B>>
        permits EmbeddedReplicasBuilder, EmbeddedSentinelBuilder, EmbeddedClusterBuilder {
    static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(2);

    private ServerOptions options = ServerOptions.NONE;
    private @Nullable Path executable;
    private @Nullable String password;
    private Duration timeout = DEFAULT_TIMEOUT;

    EmbeddedTopologyBuilder() {}

    abstract B self();

    /**
     * Adds a directive of redis.conf for every data server, as {@link EmbeddedRedisBuilder#option} does; for example
     * {@code option("min-replicas-to-write", "1")}.
     *
     * @throws IllegalArgumentException as {@link EmbeddedRedisBuilder#option}
     */
    public B option(String name, String... values) {
        options = options.with(name, values);
        return self();
    }

    /** Sets the server to run, instead of the one that would be found. */
    public B executable(Path executable) {
        this.executable = EmbeddedRedisBuilder.checkedExecutable(executable);
        return self();
    }

    /** Sets the password of every data server, for clients and for replication. Default: none. */
    public B password(String password) {
        this.password = checkedPassword(password);
        return self();
    }

    /**
     * Sets the time limit of each wait: for the first reply of each server, for the topology to be ready, and later for a
     * failover or another change. Default: two minutes.
     *
     * @param timeout more than zero, at most an hour
     */
    public B timeout(Duration timeout) {
        this.timeout = EmbeddedRedisBuilder.checkedTimeout("timeout", timeout);
        return self();
    }

    static String checkedPassword(String password) {
        if (password.isEmpty() || password.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("password: must have at least one character and no control character");
        }
        return password;
    }

    static int checkedCount(String name, int count, int least, int most) {
        if (count < least || count > most) {
            throw new IllegalArgumentException(name + " " + count + ": must be from " + least + " to " + most);
        }
        return count;
    }

    static long checkedMillis(String name, Duration duration) {
        if (duration.compareTo(Duration.ofMillis(1)) < 0 || duration.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(name + " " + duration + ": must be from 1 ms to 1 hour");
        }
        return duration.toMillis();
    }

    @Nullable
    String password() {
        return password;
    }

    Duration timeout() {
        return timeout;
    }

    /** Returns a builder for one more server, with the timeout and the executable of the topology but none of its options. */
    EmbeddedRedisBuilder plainServer(EmbeddedRedisBuilder builder) {
        builder.startTimeout(timeout);
        return executable == null ? builder : builder.executable(executable);
    }

    /** Returns a builder for one more data server. A replica gets its data at once, and not after the usual five seconds. */
    EmbeddedRedisBuilder dataServer(EmbeddedRedisBuilder builder) {
        plainServer(builder).option("repl-diskless-sync", "yes").option("repl-diskless-sync-delay", "0");
        if (password != null) {
            builder.option("requirepass", password).option("masterauth", password);
        }
        return builder.options(options);
    }

    /** Starts a master with replicas, or leaves no server. */
    EmbeddedReplicas startReplicated(int replicas) {
        ServerGroup servers = new ServerGroup(password, timeout);
        try {
            EmbeddedRedis master = servers.start(dataServer(EmbeddedRedis.builder()));
            for (int i = 0; i < replicas; i++) {
                servers.start(dataServer(EmbeddedRedis.builder())
                        .option("replicaof", master.host(), Integer.toString(master.port())));
            }
            EmbeddedReplicas topology = new EmbeddedReplicas(servers);
            topology.awaitReady();
            return topology;
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }
}
