package io.keyhold.benchmarks.contender;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Where and how a contender is opened.
 *
 * @param uri the server, as {@code redis://host:port}
 * @param renewedLease the lease to be renewed for as long as a lock is held; empty for the library's own defaults
 */
public record OpenOptions(String uri, Optional<Duration> renewedLease) {

    /** The library's defaults. */
    public static OpenOptions defaults(String uri) {
        return new OpenOptions(uri, Optional.empty());
    }

    String host() {
        return URI.create(uri).getHost();
    }

    int port() {
        int port = URI.create(uri).getPort();
        return port == -1 ? 6379 : port;
    }
}
