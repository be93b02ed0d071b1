package io.keyhold.internal.client;

import io.keyhold.CommandStyle;
import io.keyhold.Keyhold;
import io.keyhold.QuorumOptions;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.store.quorum.QuorumSettings;
import io.keyhold.internal.topology.SentinelDriver;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The nodes of a quorum, in one of the ways in which a user may name them. */
@FunctionalInterface
public interface QuorumPlace {

    /** Builds a client of these nodes. */
    Keyhold client(ClientAssembly assembly, QuorumSettings settings);

    /** Builds a client of these nodes, with the options that a user chose. */
    default Keyhold client(ClientAssembly assembly, QuorumOptions options, CommandStyle commands) {
        if (commands != CommandStyle.SCRIPTS) {
            throw new IllegalStateException("commands must be SCRIPTS on a quorum, was " + commands);
        }
        return client(
                assembly, new QuorumSettings(options.nodeTimeout(), options.longestLease(), options.admitFreshNodes()));
    }

    /** Returns the nodes at these URIs, each {@code completed} when the client is built. */
    static QuorumPlace ofUris(Collection<String> uris, UnaryOperator<RedisUri> completed) {
        List<RedisUri> parsed = different(
                Preconditions.allGiven(uris, "uris").stream()
                        .map(RedisUri::parse)
                        .toList(),
                "uris",
                RedisUri::address);
        parsed.forEach(QuorumPlace::requireOneServer);
        return (assembly, settings) ->
                assembly.onQuorumOfUris(parsed.stream().map(completed).toList(), settings);
    }

    private static void requireOneServer(RedisUri uri) {
        switch (uri.topology()) {
            case SINGLE -> {}
            case CLUSTER -> throw notOneServer("the cluster " + uri.address());
            case SENTINEL -> throw follower("the sentinels " + uri.address());
        }
    }

    /**
     * Refuses a driver that follows failovers. A former master may go on beside its successor, and a quarantine of the successor does not help: a
     * holder that is still connected to the former one renews its lease there for longer than any quarantine.
     */
    static void requireOneServer(RedisDriver driver) {
        if (driver instanceof SentinelDriver) {
            throw follower("the " + driver.address());
        }
    }

    private static IllegalArgumentException follower(String was) {
        return notOneServer(was + ": a former master that goes on would vote beside its successor");
    }

    private static IllegalArgumentException notOneServer(String was) {
        return new IllegalArgumentException("a node of a quorum must be one server, was " + was
                + "; use redis:// with one URI for each independent server");
    }

    /** Returns the nodes behind these drivers. */
    static QuorumPlace ofDrivers(Collection<? extends RedisDriver> drivers) {
        List<RedisDriver> nodes =
                different(List.copyOf(Preconditions.allGiven(drivers, "drivers")), "drivers", RedisDriver::address);
        nodes.forEach(QuorumPlace::requireOneServer);
        return (assembly, settings) -> assembly.onQuorumOfDrivers(nodes, settings);
    }

    /** Returns the nodes that these clients use. */
    static QuorumPlace ofClients(Collection<? extends Keyhold> clients) {
        List<Keyhold> nodes =
                different(List.copyOf(Preconditions.allGiven(clients, "clients")), "clients", client -> client);
        return (assembly, settings) -> assembly.onQuorumOfClients(nodes, settings);
    }

    /** Refuses a server that is there twice: it would have two votes. */
    private static <T> List<T> different(List<T> nodes, String name, Function<T, Object> identity) {
        List<Object> identities = nodes.stream().map(identity).toList();
        if (nodes.isEmpty() || new HashSet<>(identities).size() < nodes.size()) {
            throw new IllegalArgumentException(
                    name + " of a quorum must be at least 1, and all different, were " + identities);
        }
        return nodes;
    }
}
