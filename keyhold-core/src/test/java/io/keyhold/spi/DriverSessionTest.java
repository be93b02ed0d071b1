package io.keyhold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** In which state a session returns its connection. */
class DriverSessionTest {

    private final Recorded connection = new Recorded();
    private final CompletableFuture<List<@Nullable Object>> pending = new CompletableFuture<>();

    /** As where the driver of an application's pool is closed in between: the next user of the connection would be inside MULTI. */
    @Test
    void connectionInsideMultiIsClosed() {
        connection.answers.put("EXEC", CompletableFuture.failedFuture(DriverFailures.closed("localhost")));
        CompletableFuture<?> outcome = lend(this::transaction);
        assertThat(outcome).isCompletedExceptionally();
        assertThat(connection.events).containsExactly("MULTI", "SET EXEC", "close", "release");
    }

    @Test
    void sessionThatEndsInsideMultiClosesItsConnection() {
        connection.answers.put("MULTI", pending);
        CompletableFuture<?> outcome = lend(session -> {
            transaction(session);
            return CompletableFuture.completedFuture("done");
        });
        pending.complete(List.of("OK"));
        assertThat(outcome).isCompletedWithValueMatching("done"::equals);
        assertThat(connection.events).startsWith("MULTI").contains("close", "release");
    }

    @Test
    void errorReplyToMultiOrExecCostsNoConnection() {
        connection.answers.put("EXEC", CompletableFuture.failedFuture(new RedisErrorException("EXECABORT on purpose")));
        lend(this::transaction);
        connection.answers.put("MULTI", CompletableFuture.failedFuture(new RedisErrorException("NOPERM on purpose")));
        lend(this::transaction);
        assertThat(connection.events).containsExactly("MULTI", "SET EXEC", "UNWATCH", "release", "MULTI", "release");
    }

    /** As where EXEC has another name. */
    @Test
    void connectionOnWhichCommandsAreStillQueuedIsClosed() {
        RedisErrorException unknown = new RedisErrorException("ERR unknown command 'EXEC'");
        connection.answers.put("EXEC", CompletableFuture.failedFuture(unknown));
        connection.answers.put("UNWATCH", CompletableFuture.completedFuture(List.of("QUEUED")));
        assertThat(lend(this::transaction)).isCompletedExceptionally();
        assertThat(connection.events).containsExactly("MULTI", "SET EXEC", "UNWATCH", "close", "release");
    }

    @Test
    void connectionThatCannotBeCleanedIsClosed() {
        CompletableFuture<?> outcome = lend(session -> {
            session.pipeline(List.of(RedisCall.of("WATCH", "key")));
            connection.error = new InternalError("on purpose");
            return CompletableFuture.completedFuture("done");
        });
        assertThat(outcome).isCompletedWithValueMatching("done"::equals);
        assertThat(connection.events).containsExactly("WATCH", "close", "release");
    }

    /** Another thread would read the reply that is on its way. */
    @Test
    void connectionIsNotReturnedWithCommandInFlight() {
        connection.answers.put("SET", pending);
        CompletableFuture<?> outcome = lend(session -> {
            session.pipeline(List.of(RedisCall.of("SET", "key", "value")));
            return CompletableFuture.completedFuture("done");
        });
        assertThat(outcome).isNotDone();
        assertThat(connection.events).containsExactly("SET");
        pending.complete(List.of("OK"));
        assertThat(outcome).isDone();
        assertThat(connection.events).containsExactly("SET", "release");
    }

    private CompletableFuture<Object> lend(Function<RedisSession, CompletionStage<Object>> work) {
        return DriverSession.lend(connection, CallOptions.of(CallMode.ASYNCHRONOUS), work);
    }

    private CompletionStage<Object> transaction(RedisSession session) {
        return session.transaction(List.of(RedisCall.of("SET", "key", "value"))).thenApply(replies -> "done");
    }

    /** Notes what it is used for. Its replies are set for the last of the commands that are sent together. */
    private static final class Recorded implements DriverSession.Connection {

        private final List<String> events = new ArrayList<>();
        private final Map<String, CompletionStage<List<@Nullable Object>>> answers = new HashMap<>();
        private @Nullable Error error;

        @Override
        public CompletionStage<List<@Nullable Object>> send(List<RedisCall> calls) {
            if (error != null) {
                throw error;
            }
            List<String> commands = calls.stream().map(RedisCall::command).toList();
            events.add(String.join(" ", commands));
            CompletionStage<List<@Nullable Object>> answer = answers.get(commands.get(commands.size() - 1));
            return answer != null ? answer : CompletableFuture.completedFuture(Collections.nCopies(calls.size(), "OK"));
        }

        @Override
        public void close() {
            events.add("close");
        }

        @Override
        public void release() {
            events.add("release");
        }
    }
}
