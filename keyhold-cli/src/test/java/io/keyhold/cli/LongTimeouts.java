package io.keyhold.cli;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * URIs for tests that do not test timeouts: on a busy machine a process may pause for longer than a client's default of two
 * seconds. A server that does not run refuses the connection at once.
 */
public final class LongTimeouts {

    private static final String PARAMETERS = "connectTimeout=30s&commandTimeout=30s";

    private LongTimeouts() {}

    /** Adds long timeouts to these URIs, separated by commas; a URI with a timeout stays unchanged. */
    public static String of(String uris) {
        return Connection.uris(uris).stream()
                .map(uri -> uri.contains("Timeout=") ? uri : uri + (uri.contains("?") ? "&" : "?") + PARAMETERS)
                .collect(Collectors.joining(","));
    }

    /** Adds long timeouts to each of these URIs. */
    public static String[] each(String... uris) {
        return Arrays.stream(uris).map(LongTimeouts::of).toArray(String[]::new);
    }
}
