package io.keyhold.testkit.driver;

import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.error;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.testkit.TcpProxy;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What replies look like, good ones and errors. */
public interface ReplyContract extends DriverUnderTest {

    @ParameterizedTest
    @EnumSource
    default void textIsString(CallMode mode) {
        try (RedisDriver driver = open()) {
            String key = fresh();
            assertThat(reply(driver.call(RedisCall.of("PING"), mode))).isEqualTo("PONG");
            assertThat(reply(driver.call(RedisCall.of("SET", key, "value"), mode)))
                    .isEqualTo("OK");
            assertThat(reply(driver.call(RedisCall.of("GET", key), mode))).isEqualTo("value");
            assertThat(reply(driver.call(RedisCall.of("ECHO", ""), mode))).isEqualTo("");
            assertThat(reply(driver.call(RedisCall.of("ECHO", "two\r\nlines"), mode)))
                    .isEqualTo("two\r\nlines");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void numberIsLong(CallMode mode) {
        try (RedisDriver driver = open()) {
            assertThat(reply(driver.call(RedisCall.of("DEL", fresh()), mode))).isEqualTo(0L);
            assertThat(reply(driver.call(RedisCall.of("PTTL", fresh()), mode))).isEqualTo(-2L);
            assertThat(reply(driver.call(RedisCall.of("INCRBY", fresh(), "" + Long.MAX_VALUE), mode)))
                    .isEqualTo(Long.MAX_VALUE);
            assertThat(reply(driver.call(RedisCall.of("DECRBY", fresh(), "" + Long.MAX_VALUE), mode)))
                    .isEqualTo(-Long.MAX_VALUE);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void nothingIsNull(CallMode mode) {
        try (RedisDriver driver = open()) {
            assertThat(reply(driver.call(RedisCall.of("GET", fresh()), mode))).isNull();
            // Announced as an array that is not there, instead of a text that is not there.
            assertThat(reply(driver.call(RedisCall.of("BLPOP", fresh(), "0.1"), mode)))
                    .isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    default void arrayIsListAtAnyDepth(CallMode mode) {
        try (RedisDriver driver = open()) {
            assertThat(reply(driver.call(RedisCall.of("LRANGE", fresh(), "0", "-1"), mode)))
                    .isEqualTo(List.of());
            RedisCall nested = RedisCall.of("EVAL", "return {1, 'a', {}, {false, {2, {}}}, false, {'b'}, 'c'}", "0");
            assertThat(reply(driver.call(nested, mode)))
                    .isEqualTo(Arrays.asList(
                            1L, "a", List.of(), Arrays.asList(null, List.of(2L, List.of())), null, List.of("b"), "c"));
        }
    }

    @ParameterizedTest
    @EnumSource
    default void everythingIsUtf8(CallMode mode) {
        try (RedisDriver driver = open()) {
            String key = fresh() + ":schlüssel:鍵:🔑";
            String value = "grün, 青, 🌿, \u0000, \u007f";
            reply(driver.call(RedisCall.of("SET", key, value), mode));
            assertThat(reply(driver.call(RedisCall.of("GET", key), mode))).isEqualTo(value);
            assertThat(reply(driver.call(RedisCall.of("KEYS", key), mode))).isEqualTo(List.of(key));
            RedisCall status = RedisCall.of("EVAL", "return redis.status_reply(ARGV[1])", "0", "größer");
            assertThat(reply(driver.call(status, mode))).isEqualTo("größer");
            assertThat(new ServerConsole(server()).ask("GET", key)).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void replyMayBeLargerThanAnyBuffer(CallMode mode) {
        try (RedisDriver driver = open()) {
            String large = "0123456789é".repeat(200_000);
            assertThat(reply(driver.call(RedisCall.of("ECHO", large), mode))).isEqualTo(large);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void errorQuotesServer(CallMode mode) {
        try (RedisDriver driver = open()) {
            String key = fresh();
            reply(driver.call(RedisCall.of("SET", key, "text"), mode));
            assertThat(error(driver.call(RedisCall.of("LPUSH", key, "element"), mode)))
                    .hasMessage("WRONGTYPE Operation against a key holding the wrong kind of value")
                    .matches(e -> e.code().equals("WRONGTYPE"));
            assertThat(error(driver.call(RedisCall.of("EVALSHA", "0".repeat(40), "0"), mode))
                            .code())
                    .isEqualTo("NOSCRIPT");
            RedisCall words = RedisCall.of("EVAL", "return redis.error_reply(ARGV[1])", "0", "MINE täglich 🌿");
            assertThat(error(driver.call(words, mode))).hasMessage("MINE täglich 🌿");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void errorInsideArrayFailsCall(CallMode mode) {
        try (RedisDriver driver = open()) {
            String script = "return {1, {redis.error_reply('FIRST one')}, redis.error_reply('SECOND one'), 2}";
            assertThat(error(driver.call(RedisCall.of("EVAL", script, "0"), mode)))
                    .hasMessage("FIRST one");
            assertThat(reply(driver.call(RedisCall.of("ECHO", "next"), mode))).isEqualTo("next");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void errorCostsNoConnection(CallMode mode) {
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                RedisDriver driver = open(proxy.uri())) {
            for (int i = 0; i < 5; i++) {
                error(driver.call(RedisCall.of("NOSUCHCOMMAND"), mode));
                assertThat(reply(driver.call(RedisCall.of("ECHO", "" + i), mode)))
                        .isEqualTo("" + i);
            }
            assertThat(proxy.accepted()).isEqualTo(1);
        }
    }

    @Test
    default void asynchronousCallDoesNotBlockCaller() {
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                RedisDriver driver = open(proxy.uri() + "?commandTimeout=60s")) {
            proxy.swallowReplies();
            var stage = driver.call(RedisCall.of("PING"), CallMode.ASYNCHRONOUS);
            assertThat(stage.toCompletableFuture()).isNotDone();
        }
    }

    /** An interrupted thread must still be able to release a lock. */
    @ParameterizedTest
    @EnumSource
    default void interruptedThreadCanCall(CallMode mode) {
        try (RedisDriver driver = open()) {
            Thread.currentThread().interrupt();
            var stage = driver.call(RedisCall.of("ECHO", "interrupted"), mode);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(reply(stage)).isEqualTo("interrupted");
        }
    }
}
