package io.keyhold.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TokenTextTest {

    @Test
    void tokenNamesItsClient() {
        String token = new TokenText("billing").next();
        TokenText.Origin origin = TokenText.read(token).orElseThrow();
        assertThat(origin.clientName()).isEqualTo("billing");
        assertThat(origin.processId()).isEqualTo(ProcessHandle.current().pid());
        assertThat(origin.host()).isNotBlank();
    }

    @Test
    void noTwoTokensAreEqual() {
        Set<String> tokens = new HashSet<>();
        for (int client = 0; client < 10; client++) {
            TokenText text = new TokenText("c");
            for (int i = 0; i < 100; i++) {
                assertThat(tokens.add(text.next())).isTrue();
            }
        }
    }

    @Test
    void otherTextIsForeign() {
        assertThat(TokenText.read("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")).isEmpty();
        assertThat(TokenText.read("")).isEmpty();
        assertThat(TokenText.read("a@b:1:2.3")).isEmpty();
    }
}
