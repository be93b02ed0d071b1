package io.keyhold;

import io.keyhold.internal.client.ClientAssembly;
import io.keyhold.internal.client.QuorumAssembly;
import io.keyhold.internal.store.quorum.QuorumSettings;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The part of {@link KeyholdBuilder} that is about several servers. */
final class QuorumBuilder {

    private static final Duration DEFAULT_LONGEST_LEASE = Duration.ofMinutes(1);

    private List<RedisUri> uris = List.of();
    private List<RedisDriver> drivers = List.of();
    private List<Keyhold> clients = List.of();
    private boolean admitFreshNodes;
    private Optional<Duration> nodeTimeout = Optional.empty();
    private Duration longestLease = DEFAULT_LONGEST_LEASE;

    void uris(String[] texts) {
        uris = different(Stream.of(texts).map(RedisUri::parse).toList(), "uris");
    }

    void drivers(RedisDriver[] given) {
        drivers = different(List.of(given), "drivers");
    }

    void clients(Keyhold[] given) {
        clients = different(List.of(given), "clients");
    }

    private static <T> List<T> different(List<T> nodes, String name) {
        Set<T> seen = new LinkedHashSet<>(nodes);
        if (nodes.isEmpty() || seen.size() < nodes.size()) {
            throw new IllegalArgumentException(
                    name + " of a quorum must be at least one, and none of them twice: " + nodes);
        }
        return nodes;
    }

    void admitFreshNodes(boolean admit) {
        admitFreshNodes = admit;
    }

    void nodeTimeout(Duration timeout) {
        nodeTimeout = Optional.of(timeout);
    }

    void longestLease(Duration longest) {
        longestLease = longest;
    }

    /** In how many ways it was said where the nodes are. */
    int places() {
        return (uris.isEmpty() ? 0 : 1) + (drivers.isEmpty() ? 0 : 1) + (clients.isEmpty() ? 0 : 1);
    }

    Keyhold build(ClientAssembly assembly, RedisCommands commands) {
        if (commands != RedisCommands.SCRIPTS) {
            throw new IllegalStateException("a quorum needs scripts: commands must be SCRIPTS, and is " + commands);
        }
        QuorumAssembly quorum =
                new QuorumAssembly(assembly, new QuorumSettings(nodeTimeout, longestLease, admitFreshNodes));
        if (!uris.isEmpty()) {
            return quorum.ofUris(uris);
        }
        return drivers.isEmpty() ? quorum.ofClients(clients) : quorum.ofDrivers(drivers);
    }
}
