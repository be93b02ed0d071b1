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

    /** A foreign value may be megabytes; a lock's is not. */
    private static final String LAST_CHARACTER = "2047";

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
                .exceptionally(failure -> Optional.empty()) // Nothing more can be told.
                .thenApply(found -> found.orElseGet(() -> unexplained(task, refusal)));
    }

    /** The key is as it should be, so that a companion is not; or the data is gone by now. */
    private WrongKindException unexplained(Task task, Throwable refusal) {
        return new WrongKindException(
                "cannot " + task.text() + ": Redis at " + driver.address() + " says: " + refusal.getMessage()
                        + " (another program keeps data under the key, or under one of Keyhold's own keys in docs/keys.md)",
                Optional.empty(),
                refusal);
    }

    private CompletionStage<Optional<WrongKindException>> firstOther(
            Task task, Iterator<String> keys, Throwable refusal) {
        if (!keys.hasNext()) {
            return CompletableFuture.completedStage(Optional.empty());
        }
        String key = keys.next();
        return use(key).thenCompose(use -> use.isEmpty() || use.get().isAsWanted(task)
                ? firstOther(task, keys, refusal)
                : CompletableFuture.completedStage(Optional.of(new WrongKindException(
                        "cannot " + task.text(key) + ": " + use.get().reason(),
                        use.get().kind(),
                        refusal))));
    }

    /** What is under a key: {@code kind} is empty for data of another program, of this type. */
    private record Use(Optional<LockKind> kind, String type) {

        /** Text of any form is a lock: another program may hold it. */
        boolean isAsWanted(Task task) {
            Optional<LockKind> usable = type.equals("string") ? Optional.of(LockKind.LOCK) : kind;
            return usable.isPresent() && usable.equals(task.wanted().or(() -> usable));
        }

        String reason() {
            return kind.map(StoreFailure::inUseAs)
                    .orElseGet(() ->
                            "another program keeps data under this key, of type " + type + "; choose another key");
        }
    }

    /** Empty if the key is free. */
    private CompletionStage<Optional<Use>> use(String key) {
        return call("TYPE", key).thenCompose(reply -> {
            String type = Replies.text(reply);
            return switch (type) {
                case "none" -> CompletableFuture.completedStage(Optional.empty());
                case "string" ->
                    call("GETRANGE", key, "0", LAST_CHARACTER)
                            .thenApply(value -> use(
                                    type, LockValue.read(Replies.text(value)).map(lock -> LockKind.LOCK)));
                case "zset" ->
                    call("HGET", KeyNames.permits(key), "limit")
                            .thenApply(limit -> use(
                                    type,
                                    Replies.optionalText(limit)
                                            .map(permits -> Snapshots.kind(Integer.parseInt(permits)))));
                default -> CompletableFuture.completedStage(use(type, Optional.empty()));
            };
        });
    }

    private static Optional<Use> use(String type, Optional<LockKind> kind) {
        return Optional.of(new Use(kind, type));
    }

    private CompletionStage<@Nullable Object> call(String command, String... arguments) {
        return driver.call(RedisCall.of(command, arguments), CallMode.ASYNCHRONOUS);
    }
}
