package io.keyhold;

import io.keyhold.internal.client.ClientAssembly;
import io.keyhold.internal.store.quorum.QuorumSettings;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The part of {@link KeyholdBuilder} that is about several servers. */
final class QuorumBuilder {

    private static final Duration DEFAULT_LONGEST_LEASE = Duration.ofMinutes(1);

    private List<RedisUri> uris = List.of();
    private List<RedisDriver> drivers = List.of();
    private List<Keyhold> clients = List.of();
    private boolean admitFreshNodes;
    private boolean isSet;
    private Optional<Duration> nodeTimeout = Optional.empty();
    private Duration longestLease = DEFAULT_LONGEST_LEASE;

    void uris(String[] texts) {
        uris = different(all(texts, "uris").stream().map(RedisUri::parse).toList(), "uris", RedisUri::address);
    }

    void drivers(RedisDriver[] given) {
        drivers = different(all(given, "drivers"), "drivers", RedisDriver::address);
    }

    void clients(Keyhold[] given) {
        clients = different(all(given, "clients"), "clients", client -> client);
    }

    private static <T> List<T> all(T[] given, String name) {
        if (Arrays.asList(given).contains(null)) {
            throw new IllegalArgumentException(name + " must not contain null: " + Arrays.toString(given));
        }
        return List.of(given);
    }

    /** A server that is there twice would have two votes. */
    private static <T> List<T> different(List<T> nodes, String name, Function<T, Object> identity) {
        List<Object> identities = nodes.stream().map(identity).toList();
        if (nodes.isEmpty() || new HashSet<>(identities).size() < nodes.size()) {
            throw new IllegalArgumentException(
                    name + " of a quorum must be at least one, and none of them twice: " + identities);
        }
        return nodes;
    }

    void admitFreshNodes(boolean admit) {
        admitFreshNodes = admit;
        isSet = true;
    }

    void nodeTimeout(Duration timeout) {
        nodeTimeout = Optional.of(timeout);
        isSet = true;
    }

    void longestLease(Duration longest) {
        longestLease = longest;
        isSet = true;
    }

    /** In how many ways it was said where the nodes are. */
    int places() {
        return (uris.isEmpty() ? 0 : 1) + (drivers.isEmpty() ? 0 : 1) + (clients.isEmpty() ? 0 : 1);
    }

    /** Whether something was said that matters to a quorum only. */
    boolean isSet() {
        return isSet;
    }

    Keyhold build(ClientAssembly assembly, CommandStyle commands) {
        if (commands != CommandStyle.SCRIPTS) {
            throw new IllegalStateException("a quorum needs scripts: commands must be SCRIPTS, and is " + commands);
        }
        QuorumSettings settings = new QuorumSettings(nodeTimeout, longestLease, admitFreshNodes);
        if (!uris.isEmpty()) {
            return assembly.onQuorumOfUris(uris, settings);
        }
        return drivers.isEmpty()
                ? assembly.onQuorumOfClients(clients, settings)
                : assembly.onQuorumOfDrivers(drivers, settings);
    }
}
