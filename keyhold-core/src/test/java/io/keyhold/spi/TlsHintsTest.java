package io.keyhold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsHintsTest {

    /** In the words of Jedis and of Lettuce. */
    @ParameterizedTest
    @ValueSource(strings = {"Unknown reply: \u0015", "Invalid first byte: 21 (\u0015) at buffer index 0"})
    void alertInPlaceOfReplyNamesTheCure(String words) {
        RuntimeException cause = new IllegalStateException("no reply", new IllegalStateException(words));
        String hint = "it speaks TLS on this port; use rediss:// instead of redis://";
        assertThat(DriverFailures.broken("10.0.0.1:6380", cause))
                .hasMessage("the connection to 10.0.0.1:6380 broke before the reply came: " + hint);
        assertThat(DriverFailures.cannotConnect("10.0.0.1:6380", cause))
                .hasMessage("cannot connect to 10.0.0.1:6380: " + hint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Unknown reply: H", "Invalid first byte: 210 (?)"})
    void otherRepliesAreNoAlert(String words) {
        assertThat(DriverFailures.broken("10.0.0.1:6380", new IllegalStateException(words)))
                .hasMessageEndingWith(words);
    }
}
