package io.keyhold.tests.contract.lock;

import io.keyhold.KeyholdBuilder;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A store on a Redis server, for contracts that read its keys and count its commands. */
public interface OnRedis extends StoreUnderTest {

    /** Returns a client as {@link #client()} does, with a wrapper around its driver. */
    KeyholdBuilder client(UnaryOperator<RedisDriver> around);

    /** Returns the reply of the server to a command that Keyhold does not send. */
    @Nullable
    Object redis(RedisCall call);
}
