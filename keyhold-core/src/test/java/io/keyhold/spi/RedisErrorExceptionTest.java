package io.keyhold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The meaning of errors of a server. */
class RedisErrorExceptionTest {

    @Test
    void codeIsFirstWord() {
        assertThat(new RedisErrorException("NOSCRIPT No matching script.").code())
                .isEqualTo("NOSCRIPT");
        assertThat(new RedisErrorException("ERR").code()).isEqualTo("ERR");
        assertThat(new RedisErrorException("ERR no such key").code()).isEqualTo("ERR");
    }

    /** As Redis 7 and 6.2 word it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERR unknown command 'AUTH', with args beginning with: 'app' 's3cret' ",
                "ERR unknown command 'AUTH', with args beginning with: `app`, `s3cret`, "
            })
    void argumentsOfUnknownCommandAreLeftOut(String serverWords) {
        assertThat(new RedisErrorException(serverWords)).hasMessage("ERR unknown command 'AUTH'");
    }

    /** As Redis 6.2 words it. */
    @Test
    void codeOfCommandInScriptIsThatOfCommand() {
        RedisErrorException old = new RedisErrorException("ERR Error running script (call to f_c0ffee): @user_script:1:"
                + " @user_script: 1: -READONLY You can't write against a read only replica. ");
        assertThat(old.code()).isEqualTo("READONLY");
        assertThat(old.isServerUnavailable()).isTrue();
        assertThat(new RedisErrorException("@user_script: 106: -READONLY You can't write.").code())
                .isEqualTo("READONLY");
        assertThat(new RedisErrorException(
                                "ERR Error running script (call to f_c0ffee): @user_script:355: WRONGTYPE Operation against a key")
                        .code())
                .isEqualTo("WRONGTYPE");
        RedisErrorException ownError = new RedisErrorException(
                "ERR Error running script (call to f_c0ffee): @user_script:1: user_script:1: no - such thing ");
        assertThat(ownError.code()).isEqualTo("ERR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"READONLY", "MASTERDOWN", "LOADING", "CLUSTERDOWN"})
    void replicaIsNotServing(String code) {
        assertThat(new RedisErrorException(code + " for some reason").isServerUnavailable())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERR", "BUSY", "OOM", "NOPERM", "NOREPLICAS", "WRONGTYPE"})
    void serverRefusingOneCommandIsServing(String code) {
        assertThat(new RedisErrorException(code + " READONLY").isServerUnavailable())
                .isFalse();
    }
}
