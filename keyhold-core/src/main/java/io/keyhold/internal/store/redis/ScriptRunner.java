package io.keyhold.internal.store.redis;

import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Runs scripts by their digest, and sends the text only to a server that does not have it, or no longer. */
final class ScriptRunner {

    private final RedisDriver driver;

    ScriptRunner(RedisDriver driver) {
        this.driver = driver;
    }

    CompletionStage<@Nullable Object> run(ScriptCall call, CallOptions options) {
        return driver.call(call.bySha1(), options)
                .handle((reply, failure) -> failure == null
                        ? CompletableFuture.<@Nullable Object>completedStage(reply)
                        : isMissing(failure)
                                ? driver.call(call.bySource(), options)
                                : CompletableFuture.<@Nullable Object>failedStage(failure))
                .thenCompose(stage -> stage);
    }

    /** An error is a definite answer: the script was not there and did not run. */
    private static boolean isMissing(Throwable failure) {
        return Stages.unwrapped(failure) instanceof RedisErrorException error
                && error.code().equals("NOSCRIPT");
    }
}
