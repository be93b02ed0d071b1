package io.keyhold.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One connection, for the exclusive use of the work given to {@link RedisDriver#withSession}. */
public interface RedisSession {

    /**
     * Sends the commands in one go and returns their replies in the same order. The first error reply among them fails
     * the stage, after all replies have been read.
     *
     * @param calls the commands
     * @return completes with the replies
     */
    CompletionStage<List<@Nullable Object>> pipeline(List<RedisCall> calls);

    /**
     * Sends the commands between {@code MULTI} and {@code EXEC}. An error reply, be it to {@code EXEC} or among the
     * replies, fails the stage.
     *
     * @param calls the commands
     * @return completes with their replies, or with {@code null} if the server executed none of them because a watched key had
     *     changed
     */
    CompletionStage<@Nullable List<@Nullable Object>> transaction(List<RedisCall> calls);
}
