package io.keyhold.internal.store.redis;

import io.keyhold.internal.Failed;
import io.keyhold.spi.RedisErrorException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A key that somebody turned into something else is not ours any more, rather than an error for whoever lets go of it. */
final class WrongType {

    private static final String CODE = "WRONGTYPE";

    private WrongType() {}

    /** The stage, or what is made of the server's words if it says that a key is of another type. */
    static <T> CompletionStage<T> is(CompletionStage<T> stage, Function<String, T> otherwise) {
        return stage.handle((value, failure) -> {
                    if (failure != null
                            && Failed.unwrapped(failure) instanceof RedisErrorException refusal
                            && refusal.code().equals(CODE)) {
                        return CompletableFuture.completedStage(otherwise.apply(String.valueOf(refusal.getMessage())));
                    }
                    return stage;
                })
                .thenCompose(either -> either);
    }
}
