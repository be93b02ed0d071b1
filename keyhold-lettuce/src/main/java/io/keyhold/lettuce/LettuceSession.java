package io.keyhold.lettuce;

import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One line, lent to one piece of work. */
final class LettuceSession implements RedisSession {

    private static final RedisCall MULTI = RedisCall.of("MULTI");
    private static final RedisCall EXEC = RedisCall.of("EXEC");
    private static final RedisCall UNWATCH = RedisCall.of("UNWATCH");

    private final Line line;
    private volatile boolean watching;
    private volatile boolean over;
    private volatile boolean lost;
    private volatile boolean used;

    LettuceSession(Line line) {
        this.line = line;
    }

    /** Lends the line until the work's stage is complete; completes when the line is fit for the next. */
    <T> CompletableFuture<T> lendTo(Function<RedisSession, CompletionStage<T>> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletionStage<T> outcome = Stages.flat(() -> Objects.requireNonNull(work.apply(this), "the work's stage"));
        outcome.whenComplete((value, failure) -> {
            over = true;
            unwatch().whenComplete((done, ignored) -> Stages.forward(outcome, result));
        });
        return result;
    }

    /** If it fails, the line stays with its watches: then it is not to be used again. */
    private CompletionStage<?> unwatch() {
        return watching && line.isUsable()
                ? send(List.of(UNWATCH), replies -> true).whenComplete((done, failure) -> {
                    if (failure != null) {
                        line.retire();
                    }
                })
                : CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletionStage<List<@Nullable Object>> pipeline(List<RedisCall> calls) {
        if (over) {
            return sessionIsOver();
        }
        calls.forEach(this::noteWatch);
        return send(calls, replies -> replies);
    }

    private void noteWatch(RedisCall call) {
        switch (call.command().toUpperCase(Locale.ROOT)) {
            case "WATCH" -> watching = true;
            case "UNWATCH" -> watching = false;
            default -> {}
        }
    }

    /**
     * {@code MULTI} is sent alone, at the price of a round trip: were it refused (by access rules, say) with the other
     * commands on its heels, the server would execute them one by one.
     */
    @Override
    public CompletionStage<@Nullable List<@Nullable Object>> transaction(List<RedisCall> calls) {
        if (over) {
            return sessionIsOver();
        }
        List<RedisCall> rest = new ArrayList<>(calls);
        rest.add(EXEC);
        return Stages.compose(send(List.of(MULTI), replies -> true), started -> execute(rest));
    }

    private CompletionStage<@Nullable List<@Nullable Object>> execute(List<RedisCall> callsAndExec) {
        watching = false;
        // Where a command was refused, EXEC only says EXECABORT. The refusal, which says why, is the first failure.
        return send(
                callsAndExec,
                replies ->
                        replies.get(replies.size() - 1) instanceof List<?> executed ? new ArrayList<>(executed) : null);
    }

    private <T> CompletableFuture<T> send(List<RedisCall> calls, Function<List<@Nullable Object>, T> meaning) {
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletableFuture<T> sent = line.send(calls, () -> {}, meaning);
        sent.whenComplete((value, failure) -> {
            if (failure != null && Failures.isNotSent(failure)) {
                lost = true;
            } else {
                used = true;
            }
            Stages.forward(sent, result); // After that, so that the work's failure finds it noted.
        });
        return result;
    }

    /** Whether its work failed because the line was lost before anything was sent. */
    boolean isUnused() {
        return lost && !used;
    }

    private static <T> CompletionStage<T> sessionIsOver() {
        return CompletableFuture.failedFuture(new IllegalStateException("this session is over: its work is complete"));
    }
}
