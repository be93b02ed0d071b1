package io.keyhold.jedis;

import io.keyhold.CommandStyle;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.lock.LockContract;
import io.keyhold.testkit.lock.RedisStoreUnderTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Plain locks by transactions. They mostly wait, so several of these tests run at a time. */
class JedisTransactionsKindsTest {

    @Execution(ExecutionMode.CONCURRENT)
    abstract static class Store extends RedisStoreUnderTest {

        @Override
        protected RedisDriver open(RedisUri uri) {
            return JedisDriver.open(uri);
        }

        @Override
        protected CommandStyle commands() {
            return CommandStyle.TRANSACTIONS;
        }
    }

    @Nested
    class Locks extends Store implements LockContract {}
}
