package io.keyhold.internal.store.redis;

import io.keyhold.WrongKindException;
import io.keyhold.inspect.LockKind;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.Snapshots;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Finds out what a key is in use as, after the server has refused a command because of the type of its data. */
final class KeyUse {

    private final RedisDriver driver;

    KeyUse(RedisDriver driver) {
        this.driver = driver;
    }

    /** Returns whether a task failed because of the type of the data under its keys, or beside them. */
    static boolean isWrongType(Task task, Throwable failure) {
        return !task.keys().isEmpty()
                && failure instanceof RedisErrorException refusal
                && refusal.code().equals("WRONGTYPE");
    }

    /** Returns the exception of a task that failed for {@link #isWrongType}. */
    CompletionStage<WrongKindException> explain(Task task, Throwable refusal) {
        return Stages.flat(() -> firstOther(task, task.keys().iterator(), refusal))
                .exceptionally(failure -> unexplained(task, refusal)); // Nothing more can be told.
    }

    /** The key is as it should be, so that a companion is not; or the data is gone by now. */
    private WrongKindException unexplained(Task task, Throwable refusal) {
        return new WrongKindException(
                "cannot " + task.text() + ": Redis at " + driver.address() + " says: " + refusal.getMessage()
                        + " (another program keeps data under the key, or under one of Keyhold's own keys in docs/keys.md)",
                Optional.empty(),
                refusal);
    }

    private CompletionStage<WrongKindException> firstOther(Task task, Iterator<String> keys, Throwable refusal) {
        if (!keys.hasNext()) {
            return CompletableFuture.completedStage(unexplained(task, refusal));
        }
        String key = keys.next();
        return use(key).thenCompose(use -> use.isAsWanted(task)
                ? firstOther(task, keys, refusal)
                : CompletableFuture.completedStage(
                        new WrongKindException("cannot " + task.text(key) + ": " + use.reason(), use.kind(), refusal)));
    }

    /** What is under a key: {@code kind} is empty for data of another program, of this type. */
    private record Use(String type, Optional<LockKind> kind) {

        /** Text of any form is a lock: another program may hold it. */
        boolean isAsWanted(Task task) {
            Optional<LockKind> usable = type.equals("string") ? Optional.of(LockKind.LOCK) : kind;
            return type.equals("none")
                    || (usable.isPresent() && usable.equals(task.wanted().or(() -> usable)));
        }

        String reason() {
            return kind.map(StoreFailure::inUseAs)
                    .orElseGet(() ->
                            "another program keeps data under this key, of type " + type + "; choose another key");
        }
    }

    private CompletionStage<Use> use(String key) {
        return call(RedisCall.of("TYPE", key)).thenCompose(reply -> {
            String type = Replies.text(reply);
            CompletionStage<Optional<LockKind>> kind = switch (type) {
                case "string" ->
                    call(RedisListing.value(key))
                            .thenApply(
                                    value -> LockValue.read(Replies.text(value)).map(lock -> LockKind.LOCK));
                case "zset" ->
                    call(RedisCall.of("HGET", KeyNames.of(key).permits(), "limit"))
                            .thenApply(limit -> Replies.optionalText(limit)
                                    .map(permits -> Snapshots.kind(Integer.parseInt(permits))));
                default -> CompletableFuture.completedStage(Optional.empty());
            };
            return kind.thenApply(known -> new Use(type, known));
        });
    }

    private CompletionStage<@Nullable Object> call(RedisCall call) {
        return driver.call(call, CallMode.ASYNCHRONOUS);
    }
}
