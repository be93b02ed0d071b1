package io.keyhold.internal.engine;

import io.keyhold.internal.time.ConcurrencyLimit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one request that have had no reply so far: in flight, or waiting in this client for their turn to be sent.
 * Used by the steps of the request; others call only {@link #isSent()}.
 */
final class InFlight {

    private final Consumer<Runnable> steps;
    private int commands;
    private volatile CompletionStage<?> asked = CompletableFuture.completedStage(null);

    /** {@code steps} runs a step of the request. */
    InFlight(Consumer<Runnable> steps) {
        this.steps = steps;
    }

    /** Goes on with a step when the command is done. */
    <T> void await(CompletionStage<T> command, BiConsumer<@Nullable T, @Nullable Throwable> then) {
        commands++;
        command.whenComplete((value, failure) -> steps.accept(() -> {
            commands--;
            then.accept(value, failure);
        }));
    }

    /** The same for a command that asks for the lock, which {@link #withdraw()} is about. */
    <T> void awaitAsked(CompletionStage<T> command, BiConsumer<@Nullable T, @Nullable Throwable> then) {
        asked = command;
        await(command, then);
    }

    boolean isEmpty() {
        return commands == 0;
    }

    /** Returns whether the last such command waits for its turn, with nothing sent. */
    boolean isQueued() {
        return asked instanceof ConcurrencyLimit.Pending<?> waiting && waiting.isQueued();
    }

    /** Returns whether the last such command was sent. */
    boolean isSent() {
        return !isQueued() && !isWithdrawn();
    }

    /** Keeps the last such command from being sent, if it was not. Its reply is awaited if it was. */
    void withdraw() {
        if (asked instanceof ConcurrencyLimit.Pending<?> waiting) {
            waiting.withdraw();
        }
    }

    /** Returns whether the last such command was withdrawn before it was sent. */
    boolean isWithdrawn() {
        return asked instanceof ConcurrencyLimit.Pending<?> waiting && waiting.isWithdrawn();
    }
}
