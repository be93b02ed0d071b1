package io.keyhold.internal.store.redis;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Finds out whether a server writes to its disk before it replies. */
final class DiskWrites {

    private final RedisDriver driver;

    DiskWrites(RedisDriver driver) {
        this.driver = driver;
    }

    /** Returns false if the server does not permit the question. */
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
