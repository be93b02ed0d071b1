package io.keyhold.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One connection, lent by {@link RedisDriver#exclusively}. */
public interface RedisSession {

    /**
     * Sends the commands in one go and returns their replies in the same order. The first error reply among them fails
     * the stage, after all replies have been read.
     */
    CompletionStage<List<@Nullable Object>> pipeline(List<RedisCall> calls);

    /**
     * Sends the commands between {@code MULTI} and {@code EXEC}. Returns their replies, or {@code null} when the server
     * executed none of them because a watched key had changed. An error reply, be it to {@code EXEC} or among the
     * replies, fails the stage.
     */
    CompletionStage<@Nullable List<@Nullable Object>> transaction(List<RedisCall> calls);
}
