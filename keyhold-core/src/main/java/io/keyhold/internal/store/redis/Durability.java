package io.keyhold.internal.store.redis;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Whether a server has written to its disk whatever it has answered. */
final class Durability {

    private final RedisDriver driver;

    Durability(RedisDriver driver) {
        this.driver = driver;
    }

    /** No, if it is not allowed to ask. */
    CompletionStage<Boolean> isCertain() {
        return setting("appendonly", "yes")
                .thenCombine(setting("appendfsync", "always"), Boolean::logicalAnd)
                .thenCombine(setting("no-appendfsync-on-rewrite", "no"), Boolean::logicalAnd)
                .exceptionally(failure -> false);
    }

    private CompletionStage<Boolean> setting(String name, String wanted) {
        return driver.call(RedisCall.of("CONFIG", "GET", name), CallMode.ASYNCHRONOUS)
                .thenApply(reply -> {
                    List<?> parts = Replies.list(reply);
                    return parts.size() == 2 && wanted.equals(parts.get(1));
                });
    }
}
