package io.keyhold.internal.store.redis;

import io.keyhold.spi.CallOptions;
import io.keyhold.spi.PendingReply;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One call of a script: its keys and then its arguments, put in by name. */
final class ScriptCall {

    /** The digest and the number of keys. */
    private static final int BEFORE_KEYS = 2;

    private final Script script;
    private final Script.Text text;
    /** As EVALSHA takes them: digest, number of keys, keys, arguments. */
    private final List<String> parts = new ArrayList<>();

    private int keys;

    ScriptCall(Script script) {
        this.script = script;
        this.text = script.text();
        parts.add(text.sha1());
        parts.add("0");
    }

    ScriptCall key(String name, String key) {
        if (arguments() > 0) {
            throw new IllegalStateException("script " + script.file() + " got key '" + name + "' behind an argument");
        }
        check(text.keyNames(), keys, name);
        parts.add(key);
        keys++;
        return this;
    }

    /** Adds a key behind the others, for the durable variant of a script that acquires. */
    ScriptCall lastKey(String key) {
        parts.add(BEFORE_KEYS + keys, key);
        keys++;
        return this;
    }

    ScriptCall argument(String name, String value) {
        check(text.argumentNames(), arguments(), name);
        parts.add(value);
        return this;
    }

    ScriptCall argument(String name, long value) {
        return argument(name, Long.toString(value));
    }

    private int arguments() {
        return parts.size() - BEFORE_KEYS - keys;
    }

    private void check(List<String> names, int position, String name) {
        if (!names.isEmpty()
                && (position >= names.size() || !names.get(position).equals(name))) {
            throw new IllegalStateException("script " + script.file() + " takes " + names + ", but got '" + name
                    + "' as number " + (position + 1));
        }
    }

    /** Runs the script by its digest, and sends its source only to a server that does not have it. */
    CompletionStage<@Nullable Object> run(RedisDriver driver, CallOptions options) {
        return run(driver, options, null);
    }

    /** The same, as an asynchronous call that may leave its reply to {@code unread}, if there is such a reader. */
    CompletionStage<@Nullable Object> run(
            RedisDriver driver, CallOptions options, @Nullable Consumer<PendingReply> unread) {
        CompletionStage<@Nullable Object> byDigest =
                unread == null ? driver.call(bySha1(), options) : driver.call(bySha1(), options, unread);
        return byDigest.exceptionallyCompose(failure -> isMissing(failure)
                ? driver.call(bySource(), options)
                : CompletableFuture.<@Nullable Object>failedStage(failure));
    }

    /** An error is a definite reply: the script was not there and did not run. */
    private static boolean isMissing(Throwable failure) {
        return Stages.unwrapped(failure) instanceof RedisErrorException error
                && error.code().equals("NOSCRIPT");
    }

    /**
     * Runs a variant of the script once for each call, with another command right behind them on the same connection. Returns all replies.
     *
     * @param sending runs before the source is sent to a server that does not have it; the lender of the session runs it before that
     */
    static CompletionStage<List<@Nullable Object>> runBefore(
            RedisCall behind, List<ScriptCall> calls, Script.Text variant, RedisSession session, Runnable sending) {
        return session.pipeline(before(behind, calls, "EVALSHA", variant.sha1()))
                .exceptionallyCompose(failure -> {
                    if (!isMissing(failure)) {
                        return CompletableFuture.failedStage(failure);
                    }
                    sending.run();
                    return session.pipeline(before(behind, calls, "EVAL", variant.source()));
                });
    }

    private static List<RedisCall> before(RedisCall behind, List<ScriptCall> calls, String command, String which) {
        return Stream.concat(calls.stream().map(call -> call.call(command, which)), Stream.of(behind))
                .toList();
    }

    Script script() {
        return script;
    }

    RedisCall bySha1() {
        return call("EVALSHA", text.sha1());
    }

    private RedisCall bySource() {
        return call("EVAL", text.source());
    }

    private RedisCall call(String command, String which) {
        parts.set(0, which);
        parts.set(1, Integer.toString(keys));
        return new RedisCall(command, parts);
    }
}
