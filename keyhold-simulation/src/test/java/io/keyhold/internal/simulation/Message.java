package io.keyhold.internal.simulation;

import io.keyhold.StoreRefusedException;
import io.keyhold.spi.RedisErrorException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a client sends to a node.
 *
 * @param what for the trace
 * @param connection on which connection it travels
 * @param work what the node does
 * @param atReplica what a server replies that is a replica by now
 * @param lost called when it was sent and its reply will never arrive
 */
record Message<T>(
        String what,
        On connection,
        Function<NodeStore, CompletionStage<T>> work,
        Supplier<CompletionStage<T>> atReplica,
        Runnable lost) {

    enum On {
        /** One that was open before, and may have been closed meanwhile without the client's knowledge. */
        ANY,
        /** One that was alive a moment before: it is checked if it was idle. */
        CHECKED,
        /** A new one. */
        NEW
    }

    static <T> Message<T> of(String what, On connection, Function<NodeStore, CompletionStage<T>> work) {
        return new Message<>(what, connection, work, Message::refused, () -> {});
    }

    Message<T> ifLost(Runnable action) {
        return new Message<>(what, connection, work, atReplica, action);
    }

    Message<T> atReplica(Supplier<CompletionStage<T>> reply) {
        return new Message<>(what, connection, work, reply, lost);
    }

    private static <T> CompletionStage<T> refused() {
        RedisErrorException error = new RedisErrorException("READONLY You can't write against a read only replica.");
        return CompletableFuture.failedStage(
                new StoreRefusedException(String.valueOf(error.getMessage()), error.code(), error));
    }
}
