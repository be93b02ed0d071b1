package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.LockValue;
import io.keyhold.spi.RedisCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A call of one of Keyhold's scripts, as a server reads it. In this package because the scripts are.
 *
 * @param script the name of the script's file; its variant for durable grants has the same, and a marker as the last key if it acquires
 */
public record ScriptRequest(String script, List<String> keys, List<String> arguments) {

    private static final Map<String, String> NAMES = names();

    private static Map<String, String> names() {
        Map<String, String> names = new HashMap<>();
        for (Script script : Script.values()) {
            names.put(script.text().sha1(), script.file());
            names.put(script.durable().sha1(), script.file());
        }
        return names;
    }

    /** Returns the call of a script; empty if it is another command. */
    public static Optional<ScriptRequest> read(RedisCall call) {
        if (!call.command().equals("EVALSHA")) {
            return Optional.empty();
        }
        List<String> parts = call.arguments();
        int behindKeys = 2 + Integer.parseInt(parts.get(1));
        return Optional.ofNullable(NAMES.get(parts.get(0)))
                .map(name ->
                        new ScriptRequest(name, parts.subList(2, behindKeys), parts.subList(behindKeys, parts.size())));
    }

    /** Returns the token, which is the first argument; a release has it in the value of the lock. */
    public String token() {
        String first = argument(0).orElse("");
        return script.equals("release") ? LockValue.tokenIn(first) : first;
    }

    /** Returns an argument that may have been left out. */
    public Optional<String> argument(int index) {
        return index < arguments.size() ? Optional.of(arguments.get(index)) : Optional.empty();
    }

    /** Returns the name of the grant channel of this client. */
    public static String grantChannel(String client) {
        return KeyNames.grantChannel(client);
    }
}
