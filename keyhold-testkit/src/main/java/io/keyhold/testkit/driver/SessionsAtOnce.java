package io.keyhold.testkit.driver;

import static io.keyhold.testkit.driver.Outcomes.reply;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Several sessions that are all lent their connections at the same time, until they are ended together. */
final class SessionsAtOnce {

    private final CompletableFuture<Boolean> end = new CompletableFuture<>();
    private final List<CompletionStage<Boolean>> sessions = new ArrayList<>();

    private SessionsAtOnce() {}

    /** Returns when all of them have their connections. */
    static SessionsAtOnce hold(RedisDriver driver, int count) {
        return hold(driver, CallLane.REQUEST, count);
    }

    /** The same in this lane. */
    static SessionsAtOnce hold(RedisDriver driver, CallLane lane, int count) {
        SessionsAtOnce all = new SessionsAtOnce();
        for (int i = 0; i < count; i++) {
            CompletableFuture<Boolean> begun = new CompletableFuture<>();
            all.sessions.add(driver.withSession(CallOptions.of(CallMode.ASYNCHRONOUS, lane), session -> {
                begun.complete(true);
                return all.end;
            }));
            reply(begun);
        }
        return all;
    }

    /** Returns when all of them have ended. */
    void end() {
        end.complete(true);
        sessions.forEach(Outcomes::reply);
    }
}
