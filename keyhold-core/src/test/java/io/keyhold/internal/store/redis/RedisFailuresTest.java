package io.keyhold.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.KeyholdException;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which exception a user gets for which failure of a driver, and what the engine does about it. */
class RedisFailuresTest {

    /** As Redis 6.2 reports the error of a command inside a script. */
    private static final String IN_OLD_SCRIPT =
            "ERR Error running script (call to f_9b2c): @user_script:72: @user_script: 72: -";

    private static KeyholdException of(RuntimeException failure) {
        return new RedisFailures("10.0.0.1:6379").of("acquire lock 'a'", new CompletionException(failure));
    }

    private static StoreRefusedException refusal(String words) {
        KeyholdException exception = of(new RedisErrorException(words));
        assertThat(exception).isInstanceOf(StoreRefusedException.class);
        assertThat(exception).hasMessageStartingWith("cannot acquire lock 'a': Redis at 10.0.0.1:6379 says: " + words);
        return (StoreRefusedException) exception;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NOPERM this user has no permissions to run the 'evalsha' command | NOPERM | docs/keys.md",
                "NOAUTH Authentication required. | NOAUTH | put the password into the URI",
                "WRONGPASS invalid username-password pair or user is disabled. | WRONGPASS | in the URI is wrong",
                "OOM command not allowed when used memory > 'maxmemory'. | OOM | maxmemory",
                "MISCONF Errors writing to the AOF file: No space left on device | MISCONF | to disk",
                "READONLY You can't write against a read only replica. | READONLY | connect to its master",
                "LOADING Redis is loading the dataset in memory | LOADING | is starting",
                "MASTERDOWN Link with MASTER is down | MASTERDOWN | connect to a master",
                "NOREPLICAS Not enough good replicas to write. | NOREPLICAS | min-replicas-to-write",
                "MOVED 866 10.0.0.2:7001 | MOVED | redis-cluster://",
                "ASK 866 10.0.0.2:7001 | ASK | try again later",
                "CLUSTERDOWN Hash slot not served | CLUSTERDOWN | CLUSTER NODES",
                "CROSSSLOT Keys in request don't hash to the same slot | CROSSSLOT | a common {tag}",
                "ERR Protocol error: unauthenticated multibulk length | NOAUTH | put the password into the URI",
                "ERR The user executing the script can't run this command or subcommand | NOPERM | ACL LOG",
                "ERR The user executing the script can't access at least one of the keys | NOPERM | ACL LOG",
                "ERR ACL failure in script: User app has no permissions to run the 'pexpire' command | NOPERM | ACL LOG",
                "ERR ACL failure in script: No permissions to access a key script: on @user_script:1. | NOPERM | ACL LOG",
                "ERR unknown command 'EVALSHA' | ERR | unknown command"
            })
    void errorReplyIsRefusalWithCodeAndCure(String words, String code, String cure) {
        StoreRefusedException refusal = refusal(words);
        assertThat(refusal.code()).isEqualTo(code);
        assertThat(refusal).hasMessageContaining(cure);
    }

    @ParameterizedTest
    @ValueSource(strings = {"READONLY", "OOM", "MISCONF", "NOPERM", "NOREPLICAS", "LOADING", "MASTERDOWN"})
    void codeInsideScriptIsThatOfCommand(String code) {
        StoreRefusedException old = refusal(IN_OLD_SCRIPT + code + " for a reason. ");
        assertThat(old.code()).isEqualTo(code);
        StoreRefusedException current = refusal(code + " for a reason. script: f_9b2c, on @user_script:72.");
        assertThat(current.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY", "NOREPLICAS"})
    void transientErrorIsRetried(String code) {
        assertThat(StoreFailure.isPassing(refusal(code + " for a reason"))).isTrue();
        assertThat(StoreFailure.isPassing(refusal(IN_OLD_SCRIPT + code + " for a reason. ")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NOPERM", "NOAUTH", "WRONGPASS", "OOM", "MISCONF", "ERR"})
    void permanentErrorIsNotRetried(String code) {
        assertThat(StoreFailure.isPassing(refusal(code + " for a reason"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"reached", "+ cluster connections reached"})
    void tooManyClientsIsRetried(String rest) {
        assertThat(StoreFailure.isPassing(refusal("ERR max number of clients " + rest)))
                .isTrue();
    }

    /** A script that fails after its first write has done a part of its work. */
    @Test
    void failedScriptMayHaveRunInPart() {
        assertThat(StoreFailure.isOutcomeUnknown(refusal("NOPERM no. script: f_9b2c, on @user_script:72.")))
                .isTrue();
        assertThat(StoreFailure.isOutcomeUnknown(refusal(IN_OLD_SCRIPT + "NOPERM no ")))
                .isTrue();
        assertThat(StoreFailure.isOutcomeUnknown(refusal("NOPERM no"))).isFalse();
        assertThat(StoreFailure.isOutcomeUnknown(refusal("@user_script: 72: -NOPERM no")))
                .as("returned before the first write, on Redis 6.2")
                .isFalse();
        assertThat(StoreFailure.isOutcomeUnknown(refusal("OOM no. script: f_9b2c, on @user_script:72.")))
                .as("no write is executed")
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void failedConnectionIsNoRefusal(RedisConnectionException.Failure failure) {
        KeyholdException exception = of(new RedisConnectionException(failure, "no route", null));
        assertThat(exception)
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        down -> assertThat(down.outcomeUnknown())
                                .isEqualTo(failure != RedisConnectionException.Failure.NOT_CONNECTED));
        assertThat(StoreFailure.isPassing(exception)).isTrue();
        assertThat(StoreFailure.isRefusal(exception)).isFalse();
    }
}
