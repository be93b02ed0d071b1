package io.keyhold.testkit.driver;

import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.error;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.testkit.TcpProxy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Another server takes over behind the same address, and the connections to the old one stay open. The driver finds the
 * new one by itself. Holds for an application's connections too.
 */
public interface FailoverContract extends DriverUnderTest {

    @ParameterizedTest
    @EnumSource
    default void callAfterReadonlyReachesNewMaster(CallMode mode) {
        try (EmbeddedRedis replica = replica();
                TcpProxy proxy = TcpProxy.to(replica.host(), replica.port());
                RedisDriver driver = open(proxy.uri())) {
            String key = fresh();
            assertThat(error(driver.call(RedisCall.of("INCR", key), mode)).code())
                    .isEqualTo("READONLY");
            proxy.redirect(server().host(), server().port());
            assertThat(reply(driver.call(RedisCall.of("INCR", key), mode))).isEqualTo(1L);
            assertThat(new ServerConsole(server()).ask("GET", key)).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void scriptAfterReadonlyReachesNewMaster(CallMode mode) {
        try (EmbeddedRedis replica = replica();
                TcpProxy proxy = TcpProxy.to(replica.host(), replica.port());
                RedisDriver driver = open(proxy.uri())) {
            RedisCall script = RedisCall.of("EVAL", "return redis.call('incr', KEYS[1])", "1", fresh());
            assertThat(error(driver.call(script, mode)).code()).isEqualTo("READONLY");
            proxy.redirect(server().host(), server().port());
            assertThat(reply(driver.call(script, mode))).isEqualTo(1L);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void transactionAfterReadonlyReachesNewMaster(CallMode mode) {
        try (EmbeddedRedis replica = replica();
                TcpProxy proxy = TcpProxy.to(replica.host(), replica.port());
                RedisDriver driver = open(proxy.uri())) {
            String key = fresh();
            assertThat(error(Work.watchedIncrement(driver, CallOptions.of(mode), key))
                            .code())
                    .isEqualTo("READONLY");
            proxy.redirect(server().host(), server().port());
            assertThat(reply(Work.watchedIncrement(driver, CallOptions.of(mode), key)))
                    .containsExactly(1L);
        }
    }

    /** One that need not have found its master to refuse what is written. */
    private EmbeddedRedis replica() {
        return EmbeddedRedis.builder()
                .option("replicaof", server().host(), Integer.toString(server().port()))
                .start();
    }
}
