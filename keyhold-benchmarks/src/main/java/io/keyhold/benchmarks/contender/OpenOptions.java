package io.keyhold.benchmarks.contender;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a client is opened.
 *
 * @param uris the server, as {@code redis://host:port}, or several, which form a quorum
 * @param renewedLease the lease that is renewed while a lock is held; empty for the library's defaults
 */
public record OpenOptions(List<String> uris, Optional<Duration> renewedLease) {

    /** Returns the library's defaults. */
    public static OpenOptions defaults(String... uris) {
        return new OpenOptions(List.of(uris), Optional.empty());
    }

    boolean isQuorum() {
        return uris.size() > 1;
    }

    /** Returns the only server. */
    String uri() {
        if (isQuorum()) {
            throw new IllegalStateException("must be one server, was " + uris.size());
        }
        return uris.get(0);
    }

    /** Returns the options for each server alone. */
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
