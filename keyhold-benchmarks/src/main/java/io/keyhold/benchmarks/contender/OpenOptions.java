package io.keyhold.benchmarks.contender;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where and how a contender is opened.
 *
 * @param uris the server, as {@code redis://host:port}, or several that make a quorum
 * @param renewedLease the lease to be renewed for as long as a lock is held; empty for the library's own defaults
 */
public record OpenOptions(List<String> uris, Optional<Duration> renewedLease) {

    /** The library's defaults. */
    public static OpenOptions defaults(String... uris) {
        return new OpenOptions(List.of(uris), Optional.empty());
    }

    boolean isQuorum() {
        return uris.size() > 1;
    }

    /** The only one. */
    String uri() {
        if (isQuorum()) {
            throw new IllegalStateException("one server is wanted, and there are " + uris.size());
        }
        return uris.get(0);
    }

    /** Each of the servers by itself. */
    List<OpenOptions> each() {
        return uris.stream()
                .map(uri -> new OpenOptions(List.of(uri), renewedLease))
                .toList();
    }

    String host() {
        return URI.create(uri()).getHost();
    }

    int port() {
        int port = URI.create(uri()).getPort();
        return port == -1 ? 6379 : port;
    }
}
