package io.keyhold.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The session of any driver: transactions and watched keys, above a connection that can send several commands. For driver authors. */
public final class DriverSession implements RedisSession {

    private static final RedisCall MULTI = RedisCall.of("MULTI");
    private static final RedisCall EXEC = RedisCall.of("EXEC");
    private static final RedisCall UNWATCH = RedisCall.of("UNWATCH");

    private final Connection connection;
    private volatile boolean watching;
    private volatile boolean inTransaction;
    /** After an error EXEC may not have ended the transaction: the server may know it by another name. */
    private volatile boolean execFailed;

    private volatile boolean over;
    private volatile CompletionStage<?> lastSent = CompletableFuture.completedFuture(true);

    /** The connection that a session uses. */
    public interface Connection {

        /**
         * Sends the commands in one go and completes with their replies in the same order. Fails, after all replies have
         * been read, with the first error reply among them; or with the connection's failure, and then sends nothing more.
         */
        CompletionStage<List<@Nullable Object>> send(List<RedisCall> calls);

        /** Closes the connection, because it may still watch keys or be inside MULTI. Only called immediately before {@link #release}. */
        void close();

        /** Takes the connection back at the end of the session. Called once. */
        void release();
    }

    private DriverSession(Connection connection) {
        this.connection = connection;
    }

    /**
     * Lends the connection until the work's stage is complete, and what the work has sent too. Completes after the connection was taken back.
     *
     * @param options as given to {@link RedisDriver#withSession}; only {@link CallOptions#sending} is used here
     */
    public static <T> CompletableFuture<T> lend(
            Connection connection, CallOptions options, Function<RedisSession, ? extends CompletionStage<T>> work) {
        DriverSession session = new DriverSession(connection);
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletionStage<T> outcome = Stages.flat(() -> {
            options.sending().run();
            return Objects.requireNonNull(work.apply(session), "the work's stage");
        });
        outcome.whenComplete((value, failure) -> {
            session.over = true;
            session.lastSent.whenComplete((sent, broken) -> Stages.flat(session::clean)
                    .whenComplete((done, dirty) -> {
                        if (dirty != null) {
                            connection.close();
                        }
                        connection.release();
                        Stages.forward(outcome, result);
                    }));
        });
        return result;
    }

    /** Fails if another user of the connection would find it watching keys or inside MULTI, where UNWATCH is only queued. */
    private CompletionStage<Boolean> clean() {
        if (inTransaction) {
            return insideMulti();
        }
        return watching || execFailed
                ? Stages.compose(
                        connection.send(List.of(UNWATCH)),
                        replies ->
                                "OK".equals(replies.get(0)) ? CompletableFuture.completedFuture(true) : insideMulti())
                : CompletableFuture.completedFuture(true);
    }

    private static <T> CompletionStage<T> insideMulti() {
        return CompletableFuture.failedFuture(new IllegalStateException("MULTI without EXEC"));
    }

    @Override
    public CompletionStage<List<@Nullable Object>> pipeline(List<RedisCall> calls) {
        if (over) {
            return sessionIsOver();
        }
        calls.forEach(this::noteWatch);
        return send(calls);
    }

    private CompletionStage<List<@Nullable Object>> send(List<RedisCall> calls) {
        CompletionStage<List<@Nullable Object>> sent = connection.send(calls);
        lastSent = sent;
        return sent;
    }

    private void noteWatch(RedisCall call) {
        switch (call.command().toUpperCase(Locale.ROOT)) {
            case "WATCH" -> watching = true;
            case "UNWATCH" -> watching = false;
            default -> {}
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>{@code MULTI} is sent alone, at the price of a round trip: if it were refused (by access rules, say) with the other
     * commands right behind it, the server would execute them one by one.
     */
    @Override
    public CompletionStage<@Nullable List<@Nullable Object>> transaction(List<RedisCall> calls) {
        if (over) {
            return sessionIsOver();
        }
        List<RedisCall> withExec = new ArrayList<>(calls);
        withExec.add(EXEC);
        inTransaction = true;
        return Stages.compose(
                send(List.of(MULTI)).whenComplete((started, failure) -> inTransaction = !isErrorReply(failure)),
                started -> execute(withExec));
    }

    private CompletionStage<@Nullable List<@Nullable Object>> execute(List<RedisCall> withExec) {
        CompletionStage<List<@Nullable Object>> exec = send(withExec).whenComplete((replies, failure) -> {
            inTransaction = failure != null && !isErrorReply(failure);
            watching = inTransaction;
            if (failure != null) {
                execFailed = true;
            }
        });
        // Where a command is refused, EXEC only says EXECABORT. The refusal, which says why, is the first error reply.
        return Stages.compose(exec, replies -> {
            Object last = replies.get(replies.size() - 1);
            return CompletableFuture.completedFuture(
                    last instanceof List<?> executed ? new ArrayList<>(executed) : null);
        });
    }

    private static boolean isErrorReply(@Nullable Throwable failure) {
        return failure != null && Stages.unwrapped(failure) instanceof RedisErrorException;
    }

    private static <T> CompletionStage<T> sessionIsOver() {
        return CompletableFuture.failedFuture(new IllegalStateException("this session is over: its work is complete"));
    }
}
