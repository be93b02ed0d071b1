package io.keyhold.doctor;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The reply to INFO. */
public final class ServerInfo {

    private final Map<String, String> fields = new HashMap<>();

    /** Parses the reply. */
    public ServerInfo(String reply) {
        reply.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
    }

    /** Returns the value of a field. */
    public Optional<String> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }
}
