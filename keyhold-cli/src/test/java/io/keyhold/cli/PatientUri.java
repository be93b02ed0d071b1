package io.keyhold.cli;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Addresses for tests that are not about time: on a busy machine a process may stand still for longer than the two seconds that
 * a client waits by itself. A server that is not there refuses at once, however patient one is.
 */
public final class PatientUri {

    private static final String PATIENCE = "?connectTimeout=30s&commandTimeout=30s";

    private PatientUri() {}

    /** The same servers, one or several with commas between them; what already has parameters stays as it is. */
    public static String of(String uris) {
        return Arrays.stream(uris.split(",", -1))
                .map(uri -> uri.contains("?") ? uri : uri + PATIENCE)
                .collect(Collectors.joining(","));
    }

    /** Each of them by itself. */
    public static String[] each(String... uris) {
        return Arrays.stream(uris).map(PatientUri::of).toArray(String[]::new);
    }
}
