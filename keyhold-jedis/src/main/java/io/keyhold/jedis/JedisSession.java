package io.keyhold.jedis;

import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;

/** One connection, lent to one piece of work. Used by one thread at a time, as the work's stages follow each other. */
final class JedisSession implements RedisSession {

    private static final RedisCall MULTI = RedisCall.of("MULTI");
    private static final RedisCall EXEC = RedisCall.of("EXEC");
    private static final RedisCall UNWATCH = RedisCall.of("UNWATCH");

    private final ConnectionSource connections;
    private final Loan loan;
    private final Connection connection;
    private final LastReply lastReply;
    private final Place place;
    private volatile boolean watching;
    private volatile boolean broken;
    private volatile boolean notServing;
    private volatile boolean over;

    /** Where input and output happen. */
    interface Place {
        /** Does the work on a thread that may wait. */
        <T> CompletionStage<T> run(Supplier<T> work);
    }

    JedisSession(ConnectionSource connections, Loan loan, LastReply lastReply, Place place) {
        this.connections = connections;
        this.loan = loan;
        this.connection = loan.connection();
        this.lastReply = lastReply;
        this.place = place;
    }

    /** Lends the connection until the work's stage is complete; completes when it has been taken back. */
    <T> CompletionStage<T> lendTo(Function<RedisSession, CompletionStage<T>> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletionStage<T> outcome =
                OnThisThread.flat(() -> Objects.requireNonNull(work.apply(this), "the work's stage"));
        outcome.whenComplete((value, failure) -> {
            over = true;
            takeBack().whenComplete((done, ignored) -> Stages.forward(outcome, result));
        });
        return result;
    }

    private CompletionStage<?> takeBack() {
        if (watching && !broken && !notServing) {
            return place.run(() -> talk(() -> Wire.exchange(connection, UNWATCH)))
                    .whenComplete((done, failure) -> giveBackOrDiscard());
        }
        giveBackOrDiscard();
        return CompletableFuture.completedFuture(null);
    }

    private void giveBackOrDiscard() {
        if (broken) {
            connections.discard(loan);
        } else if (notServing) {
            connections.dropAll(loan);
        } else {
            connections.giveBack(loan);
        }
    }

    @Override
    public CompletionStage<List<@Nullable Object>> pipeline(List<RedisCall> calls) {
        return run(() -> {
            calls.forEach(this::noteWatch);
            return Replies.list(Wire.exchange(connection, calls));
        });
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
        return run(() -> {
            Wire.exchange(connection, MULTI);
            List<RedisCall> rest = new ArrayList<>(calls);
            rest.add(EXEC);
            List<@Nullable Object> replies = Wire.exchange(connection, rest);
            watching = false;
            // Where a command was refused, EXEC only says EXECABORT. The refusal, which says why, stands before it.
            return Replies.list(replies).get(calls.size()) instanceof List<?> executed
                    ? new ArrayList<>(executed)
                    : null;
        });
    }

    private <T> CompletionStage<T> run(Supplier<T> exchange) {
        return over
                ? CompletableFuture.failedFuture(
                        new IllegalStateException("this session is over: its work is complete"))
                : place.run(() -> talk(exchange));
    }

    private <T> T talk(Supplier<T> exchange) {
        try {
            T replies = exchange.get();
            lastReply.isNow();
            return replies;
        } catch (JedisDataException e) {
            lastReply.isNow();
            RedisErrorException error = Failures.errorReply(e);
            notServing |= error.isNotServing();
            throw error;
        } catch (Throwable e) {
            broken = true;
            throw Failures.whileTalking(connections.address(), connection, e);
        }
    }
}
