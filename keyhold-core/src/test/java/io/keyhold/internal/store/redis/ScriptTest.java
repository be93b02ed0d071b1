package io.keyhold.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ScriptTest {

    private final Scripts scripts = new Scripts();

    @Test
    void theHeaderNamesKeysAndArguments() {
        assertThat(scripts.release.keyNames()).containsExactly("lock", "counter", "queue", "last");
        assertThat(scripts.release.argumentNames()).containsExactly("token", "place");
        assertThat(scripts.release.source())
                .startsWith(
                        "local lock = KEYS[1] local counter = KEYS[2] local queue = KEYS[3] local last = KEYS[4] \nlocal token = ARGV[1]");
        assertThat(scripts.release.sha1()).matches("[0-9a-f]{40}");
        assertThat(scripts.renew.keyNames()).isEmpty();
    }

    @Test
    void whatAScriptUsesStandsWhereItSaysSo() {
        String source = scripts.release.source();
        assertThat(source)
                .contains("local stride = 64 local keep = 30000")
                .containsSubsequence("local first", "local function handOver", "handOver(first)")
                .doesNotContain("-- USES");
        assertThat(scripts.renew.source()).doesNotContain("handOver");
    }

    @Test
    void aCallThatPassesSomethingElseIsRefused() {
        assertThatThrownBy(() -> scripts.release.call().key("counter", "x"))
                .hasMessageContaining("takes [lock, counter");
        ScriptCall call = scripts.release.call().key("lock", "x").argument("token", "1");
        assertThatThrownBy(() -> call.argument("token", "1")).hasMessageContaining("number 2");
        assertThat(call.bySha1().arguments()).containsExactly(scripts.release.sha1(), "1", "x", "1");
    }
}
