package io.keyhold.lettuce;

import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finds out user and password before a connection is opened.
 *
 * <p>Left to itself, Lettuce asks for them while it opens one, on another thread, which may then be the one that declares
 * the connection open: before the thread that reads from it has taken notice (seen with 7.7.0, once in fifty times).
 * The first command is refused as "currently not connected". A password in a {@link RedisURI} is of this kind too.
 */
final class Credentials {

    private Credentials() {}

    /**
     * The URI with user and password at hand. Left as they are: one whose password changes with time, and one of
     * sentinels, which cannot be copied.
     */
    static CompletionStage<RedisURI> atHand(RedisURI uri) {
        RedisCredentialsProvider provider = uri.getCredentialsProvider();
        boolean atHand = provider instanceof ImmediateRedisCredentialsProvider;
        if (atHand || provider.supportsStreaming() || !uri.getSentinels().isEmpty()) {
            return CompletableFuture.completedStage(uri);
        }
        return provider.resolveCredentials().toFuture().thenApply(credentials -> {
            RedisURI copy = RedisURI.builder(uri).build();
            copy.setCredentialsProvider(new StaticCredentialsProvider(credentials));
            return copy;
        });
    }
}
