package io.keyhold.testkit.driver;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.error;
import static io.keyhold.testkit.driver.Outcomes.failure;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Passwords, users and what they may do. The servers of these tests are started for each. */
public interface AccessContract extends DriverUnderTest {

    /** What must not be seen anywhere. Holds all that needs care in a URI, and in UTF-8. */
    String PASSWORD = "s3cret@:/?#é+ %";

    @ParameterizedTest
    @EnumSource
    default void rightPasswordIsAccepted(CallMode mode) {
        try (EmbeddedRedis locked =
                        EmbeddedRedis.builder().option("requirepass", PASSWORD).start();
                RedisDriver driver = open(uri(locked, "", PASSWORD) + "/2")) {
            assertThat(reply(driver.call(RedisCall.of("PING"), mode))).isEqualTo("PONG");
            assertThat(reply(Work.pipeline(driver, mode, RedisCall.of("PING")))).containsExactly("PONG");
        }
    }

    /** Some clients call a connection open a moment too early. One try in fifty shows it. */
    @Test
    default void connectionIsUsableAtFirstCall() {
        try (EmbeddedRedis locked =
                EmbeddedRedis.builder().option("requirepass", PASSWORD).start()) {
            for (int i = 0; i < 100; i++) {
                try (RedisDriver driver = open(uri(locked, "", PASSWORD) + "/1")) {
                    assertThat(reply(driver.call(RedisCall.of("ECHO", "" + i), CallMode.BLOCKING)))
                            .isEqualTo("" + i);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    default void missingOrWrongPasswordReportsRefusal(CallMode mode) {
        try (EmbeddedRedis locked =
                        EmbeddedRedis.builder().option("requirepass", PASSWORD).start();
                RedisDriver none = open(locked.uri());
                RedisDriver wrong = open(uri(locked, "", PASSWORD + "x"));
                RedisDriver unknown = open(uri(locked, "unknown", PASSWORD))) {
            assertRefused(none.call(RedisCall.of("PING"), mode), "NOAUTH");
            assertRefused(wrong.call(RedisCall.of("PING"), mode), "WRONGPASS");
            assertRefused(unknown.call(RedisCall.of("PING"), mode), "WRONGPASS");
            assertRefused(Work.pipeline(wrong, mode, RedisCall.of("PING")), "WRONGPASS");
        }
    }

    /** Of a command that it does not know, a server repeats the arguments. */
    @ParameterizedTest
    @EnumSource
    default void serverWithoutAuthDoesNotShowPassword(CallMode mode) {
        try (EmbeddedRedis renamed = EmbeddedRedis.builder()
                        .option("rename-command", "AUTH", "")
                        .start();
                RedisDriver driver = open(uri(renamed, "app", PASSWORD))) {
            assertRefused(driver.call(RedisCall.of("PING"), mode), "ERR");
            assertRefused(Work.pipeline(driver, mode, RedisCall.of("PING")), "ERR");
        }
    }

    /** Some clients lose the server's words when they come very soon. */
    @Test
    default void refusalQuotesServer() {
        try (EmbeddedRedis locked =
                        EmbeddedRedis.builder().option("requirepass", PASSWORD).start();
                RedisDriver wrong = open(uri(locked, "", "wrong"))) {
            for (int i = 0; i < 300; i++) {
                assertRefused(wrong.call(RedisCall.of("PING"), CallMode.BLOCKING), "WRONGPASS");
            }
        }
    }

    private static void assertRefused(CompletionStage<?> stage, String code) {
        RedisErrorException refusal = error(stage);
        assertThat(refusal.code()).isEqualTo(code);
        StringWriter everything = new StringWriter();
        refusal.printStackTrace(new PrintWriter(everything));
        assertThat(everything.toString()).doesNotContain(PASSWORD);
    }

    /** The user may do nothing but read and write: not even give a connection a name, say hello, or ping. */
    @ParameterizedTest
    @EnumSource
    default void userWithFewPermissionsCanUseThem(CallMode mode) {
        try (EmbeddedRedis locked = EmbeddedRedis.builder()
                        .option("user", "keyhold", "on", ">" + PASSWORD, "~contract:*", "-@all", "+get", "+set")
                        .start();
                RedisDriver driver = open(uri(locked, "keyhold", PASSWORD) + "?clientName=locker")) {
            String key = fresh();
            assertThat(reply(driver.call(RedisCall.of("SET", key, "1"), mode))).isEqualTo("OK");
            assertThat(reply(driver.call(RedisCall.of("GET", key), mode))).isEqualTo("1");
            assertRefused(driver.call(RedisCall.of("DEL", key), mode), "NOPERM");
            assertRefused(driver.call(RedisCall.of("GET", "elsewhere"), mode), "NOPERM");
        }
    }

    /** If the commands of the transaction were sent nevertheless, the server would execute them one by one. */
    @ParameterizedTest
    @EnumSource
    default void refusedTransactionExecutesNothing(CallMode mode) {
        try (EmbeddedRedis locked = EmbeddedRedis.builder()
                        .option("user", "keyhold", "on", ">" + PASSWORD, "~*", "+@all", "-multi")
                        .start();
                RedisDriver driver = open(uri(locked, "keyhold", PASSWORD))) {
            String key = fresh();
            assertRefused(Work.transaction(driver, mode, RedisCall.of("SET", key, "1")), "NOPERM");
            assertThat(new ServerConsole(locked).ask("GET", key)).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    default void noFailureShowsPassword(CallMode mode) {
        undisturbed(() -> {
            EmbeddedRedis locked =
                    EmbeddedRedis.builder().option("requirepass", PASSWORD).start();
            try (locked;
                    RedisDriver driver =
                            open(uri(locked, "", PASSWORD) + "?commandTimeout=500ms&connectTimeout=500ms")) {
                reply(driver.call(RedisCall.of("PING"), mode));
                locked.pause();
                assertDoesNotTell(failure(driver.call(RedisCall.of("PING"), mode)));
                assertDoesNotTell(failure(driver.call(RedisCall.of("PING"), mode)));
                locked.resume();
                locked.kill();
                assertDoesNotTell(failure(driver.call(RedisCall.of("PING"), mode)));
                assertDoesNotTell(failure(driver.call(RedisCall.of("PING"), mode)));
            }
        });
    }

    private static void assertDoesNotTell(Throwable failure) {
        StringWriter everything = new StringWriter();
        failure.printStackTrace(new PrintWriter(everything));
        assertThat(everything.toString()).doesNotContain(PASSWORD).doesNotContain(encoded(PASSWORD));
    }

    private static String uri(EmbeddedRedis server, String user, String password) {
        return server.uri().replace("://", "://" + user + ":" + encoded(password) + "@");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
