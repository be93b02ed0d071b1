package io.keyhold.testkit.driver;

import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.error;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work with its own connection: pipelines, transactions, and that no other command gets in between. */
public interface SessionContract extends DriverUnderTest {

    @ParameterizedTest
    @EnumSource
    default void repliesComeInOrderOfCommands(CallMode mode) {
        try (RedisDriver driver = open()) {
            List<String> words =
                    IntStream.range(0, 500).mapToObj(String::valueOf).toList();
            RedisCall[] calls =
                    words.stream().map(word -> RedisCall.of("ECHO", word)).toArray(RedisCall[]::new);
            assertThat(reply(Work.pipeline(driver, mode, calls))).isEqualTo(words);
            assertThat(reply(Work.pipeline(driver, mode))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    default void firstErrorFailsPipelineButNotSession(CallMode mode) {
        try (RedisDriver driver = open()) {
            String key = fresh();
            var outcome = driver.withSession(
                    mode,
                    session -> session.pipeline(List.of(
                                    RedisCall.of("SET", key, "text"),
                                    RedisCall.of("INCR", key),
                                    RedisCall.of("NOSUCHCOMMAND"),
                                    RedisCall.of("APPEND", key, "!")))
                            .handle((replies, failure) -> failure)
                            .thenCompose(failure -> session.pipeline(List.of(RedisCall.of("GET", key)))
                                    .thenApply(replies -> replies.get(0) + " " + failure.getMessage())));
            assertThat(reply(outcome)).isEqualTo("text! ERR value is not an integer or out of range");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void transactionReturnsRepliesOfItsCommands(CallMode mode) {
        try (RedisDriver driver = open()) {
            String key = fresh();
            var outcome = driver.withSession(
                    mode,
                    session -> session.pipeline(List.of(RedisCall.of("WATCH", key)))
                            .thenCompose(watched -> session.transaction(List.of(
                                    RedisCall.of("SET", key, "1"),
                                    RedisCall.of("INCR", key),
                                    RedisCall.of("GET", key + ":none"),
                                    RedisCall.of("LRANGE", key + ":list", "0", "-1")))));
            assertThat(reply(outcome)).containsExactly("OK", 2L, null, List.of());
        }
    }

    @ParameterizedTest
    @EnumSource
    default void changedWatchedKeyAbortsTransaction(CallMode mode) {
        try (RedisDriver driver = open()) {
            String key = fresh();
            ServerConsole console = new ServerConsole(server());
            var outcome = driver.withSession(
                    mode,
                    session -> session.pipeline(List.of(RedisCall.of("WATCH", key), RedisCall.of("GET", key)))
                            .thenCompose(read -> {
                                console.ask("SET", key, "changed");
                                return session.transaction(List.of(RedisCall.of("SET", key, "mine")));
                            }));
            assertThat(reply(outcome)).isNull();
            assertThat(console.ask("GET", key)).isEqualTo("changed");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void errorDuringExecFailsTransaction(CallMode mode) {
        try (RedisDriver driver = open()) {
            String key = fresh();
            var outcome = Work.transaction(
                    driver,
                    mode,
                    RedisCall.of("SET", key, "text"),
                    RedisCall.of("INCR", key),
                    RedisCall.of("APPEND", key, "!"));
            assertThat(error(outcome)).hasMessage("ERR value is not an integer or out of range");
            // That is Redis's way: the others were executed.
            assertThat(new ServerConsole(server()).ask("GET", key)).isEqualTo("text!");
        }
    }

    /** EXEC returns EXECABORT then, which does not give the reason; the refusal does. */
    @ParameterizedTest
    @EnumSource
    default void refusedCommandAbortsTransactionWithReason(CallMode mode) {
        try (RedisDriver driver = open()) {
            String key = fresh();
            var outcome = driver.withSession(
                    mode,
                    session ->
                            session.transaction(List.of(RedisCall.of("SET", key, "1"), RedisCall.of("NOSUCHCOMMAND"))));
            assertThat(error(outcome)).hasMessageMatching("ERR unknown command .NOSUCHCOMMAND.(?s:.*)");
            assertThat(new ServerConsole(server()).ask("GET", key)).isNull();
            assertThat(reply(Work.transaction(driver, mode, RedisCall.of("SET", key, "2"))))
                    .containsExactly("OK");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void connectionOfSessionIsExclusive(CallMode mode) {
        try (RedisDriver driver = open()) {
            RedisCall id = RedisCall.of("CLIENT", "ID");
            List<Object> ids = new ArrayList<>();
            var outcome = driver.withSession(
                    mode,
                    session -> session.pipeline(List.of(id))
                            .thenCompose(first -> {
                                ids.addAll(first);
                                // Not waited for on this thread, which may be one of the driver's own.
                                return driver.call(id, CallMode.ASYNCHRONOUS);
                            })
                            .thenCompose(second -> {
                                ids.add(second);
                                return Work.pipeline(driver, CallMode.ASYNCHRONOUS, id);
                            })
                            .thenCompose(third -> {
                                ids.addAll(third);
                                return session.pipeline(List.of(id));
                            }));
            Object own = reply(outcome).get(0);
            assertThat(ids).hasSize(3).startsWith(own);
            assertThat(ids.subList(1, 3)).doesNotContain(own);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void connectionIsLentUntilStageCompletes(CallMode mode) {
        try (RedisDriver driver = open(server().uri() + "?maxConnections=1&connectTimeout=20s")) {
            CompletableFuture<String> work = new CompletableFuture<>();
            var first = driver.withSession(mode, session -> work);
            CompletableFuture<Boolean> begun = new CompletableFuture<>();
            var second = driver.withSession(CallMode.ASYNCHRONOUS, session -> {
                begun.complete(true);
                return session.pipeline(List.of(RedisCall.of("PING")));
            });
            assertThat(first.toCompletableFuture()).isNotDone();
            assertThat(begun).isNotDone();
            work.complete("done");
            assertThat(reply(first)).isEqualTo("done");
            assertThat(reply(second)).containsExactly("PONG");
        }
    }

    /** Both sessions have the same connection: there is only one. */
    @ParameterizedTest
    @EnumSource
    default void watchesDoNotOutliveSession(CallMode mode) {
        try (RedisDriver driver = open(server().uri() + "?maxConnections=1")) {
            String key = fresh();
            for (int i = 0; i < 3; i++) {
                reply(Work.pipeline(driver, mode, RedisCall.of("WATCH", key)));
                new ServerConsole(server()).ask("SET", key, "changed " + i);
                var next = Work.transaction(driver, mode, RedisCall.of("SET", key, "mine"));
                assertThat(reply(next)).containsExactly("OK");
            }
        }
    }
}
