package io.keyhold.cli;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a server says of itself in answer to INFO. */
public final class ServerInfo {

    private final Map<String, String> fields = new HashMap<>();

    /** Reads that answer. */
    public ServerInfo(String answer) {
        answer.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
    }

    /** What it says under this name. */
    public Optional<String> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }
}
