package io.keyhold.tests.contract.lock;

import io.keyhold.KeyholdBuilder;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A place for locks on a Redis server, for contracts that look at its keys and count its commands. */
public interface OnRedis extends StoreUnderTest {

    /** As {@link #client()}, with something around its driver. */
    KeyholdBuilder client(UnaryOperator<RedisDriver> around);

    /** The server's reply to a plain command of an outsider. */
    @Nullable
    Object redis(RedisCall call);
}
