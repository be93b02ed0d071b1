package io.keyhold.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ScriptTest {

    @Test
    void theHeaderNamesKeysAndArguments() {
        assertThat(Script.ACQUIRE.keyNames()).containsExactly("lock", "fence");
        assertThat(Script.ACQUIRE.argumentNames()).containsExactly("token", "lease", "ifFree", "stride", "retention");
        assertThat(Script.ACQUIRE.source())
                .startsWith("local lock = KEYS[1] local fence = KEYS[2] \nlocal token = ARGV[1]");
        assertThat(Script.ACQUIRE.sha1()).matches("[0-9a-f]{40}");
        assertThat(Script.RENEW.keyNames()).isEmpty();
    }

    @Test
    void aCallThatPassesSomethingElseIsRefused() {
        assertThatThrownBy(() -> Script.RELEASE.call().key("fence", "x")).hasMessageContaining("takes [lock]");
        ScriptCall call = Script.RELEASE.call().key("lock", "x").argument("token", "t");
        assertThatThrownBy(() -> call.argument("token", "t")).hasMessageContaining("number 2");
        assertThat(call.bySha1().arguments()).containsExactly(Script.RELEASE.sha1(), "1", "x", "t");
    }
}
