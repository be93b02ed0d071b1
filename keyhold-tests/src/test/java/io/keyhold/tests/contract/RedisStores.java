package io.keyhold.tests.contract;

import io.keyhold.CommandStyle;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.tests.contract.lock.RedisQuorumUnderTest;
import io.keyhold.tests.contract.lock.RedisStoreUnderTest;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The stores of one driver, on real servers. The tests mostly wait, so several of them run at a time. */
abstract class RedisStores {

    abstract RedisDriver open(RedisUri uri);

    @Execution(ExecutionMode.CONCURRENT)
    abstract class Store extends RedisStoreUnderTest {

        @Override
        protected RedisDriver open(RedisUri uri) {
            return RedisStores.this.open(uri);
        }

        @Override
        protected CommandStyle commands() {
            return CommandStyle.SCRIPTS;
        }
    }

    @Execution(ExecutionMode.CONCURRENT)
    abstract class Quorum extends RedisQuorumUnderTest {

        @Override
        protected RedisDriver open(RedisUri uri) {
            return RedisStores.this.open(uri);
        }
    }
}
