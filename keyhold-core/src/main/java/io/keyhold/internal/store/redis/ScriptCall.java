package io.keyhold.internal.store.redis;

import io.keyhold.spi.RedisCall;
import java.util.ArrayList;
import java.util.List;

/** The keys and arguments of one call of a script, put in by name. */
final class ScriptCall {

    private final Script script;
    private final List<String> keys = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();

    ScriptCall(Script script) {
        this.script = script;
    }

    ScriptCall key(String name, String key) {
        check(script.keyNames(), keys.size(), name);
        keys.add(key);
        return this;
    }

    ScriptCall argument(String name, String value) {
        check(script.argumentNames(), arguments.size(), name);
        arguments.add(value);
        return this;
    }

    ScriptCall argument(String name, long value) {
        return argument(name, Long.toString(value));
    }

    /** The call for a server that has the script. */
    RedisCall bySha1() {
        return call("EVALSHA", script.sha1());
    }

    /** The call for a server that does not. */
    RedisCall bySource() {
        return call("EVAL", script.source());
    }

    String name() {
        return script.name();
    }

    private RedisCall call(String command, String which) {
        List<String> all = new ArrayList<>(2 + keys.size() + arguments.size());
        all.add(which);
        all.add(Integer.toString(keys.size()));
        all.addAll(keys);
        all.addAll(arguments);
        return new RedisCall(command, all);
    }

    private void check(List<String> names, int position, String name) {
        if (!names.isEmpty()
                && (position >= names.size() || !names.get(position).equals(name))) {
            throw new IllegalStateException("script " + script.name() + " takes " + names + ", and got '" + name
                    + "' as number " + (position + 1));
        }
    }
}
