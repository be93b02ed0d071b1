package io.keyhold.tests.contract.lock;

import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Records the commands that it carries, and may alter them. */
public final class CountingDriver implements RedisDriver {

    private final RedisDriver driver;
    private final UnaryOperator<RedisCall> alter;
    private final List<String> carried = new CopyOnWriteArrayList<>();

    /** Delegates to the given driver. */
    public CountingDriver(RedisDriver driver) {
        this(driver, call -> call);
    }

    /** Delegates to the given driver, with each call as it is altered. */
    public CountingDriver(RedisDriver driver, UnaryOperator<RedisCall> alter) {
        this.driver = driver;
        this.alter = alter;
    }

    /** Returns the commands so far, with EXCLUSIVELY for a session and SUBSCRIBE for a subscription. */
    public List<String> carried() {
        return List.copyOf(carried);
    }

    /** Clears the record. */
    public void forget() {
        carried.clear();
    }

    @Override
    public String address() {
        return driver.address();
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        carried.add(call.command());
        return driver.call(alter.apply(call), options);
    }

    @Override
    public <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        carried.add("EXCLUSIVELY");
        return driver.withSession(options, work);
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        carried.add("SUBSCRIBE");
        return driver.subscribe(channel, listener);
    }

    @Override
    public void trim() {
        driver.trim();
    }

    @Override
    public void close() {
        driver.close();
    }
}
