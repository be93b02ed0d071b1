package io.keyhold.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ScriptTest {

    @Test
    void theHeaderNamesKeysAndArguments() {
        assertThat(Script.RELEASE.keyNames()).containsExactly("lock", "fence", "queue");
        assertThat(Script.RELEASE.argumentNames()).containsExactly("token", "place", "retention");
        assertThat(Script.RELEASE.source())
                .startsWith("local lock = KEYS[1] local fence = KEYS[2] local queue = KEYS[3] \nlocal token = ARGV[1]");
        assertThat(Script.RELEASE.sha1()).matches("[0-9a-f]{40}");
        assertThat(Script.RENEW.keyNames()).isEmpty();
    }

    @Test
    void whatAScriptUsesStandsWhereItSaysSo() {
        String source = Script.RELEASE.source();
        assertThat(source)
                .contains("local stride = 64 local keep = 30000")
                .containsSubsequence("local first", "local function handOver", "if not handOver(first)")
                .doesNotContain("-- USES");
        assertThat(Script.RENEW.source()).doesNotContain("handOver");
    }

    @Test
    void aCallThatPassesSomethingElseIsRefused() {
        assertThatThrownBy(() -> Script.FORCE.call().key("fence", "x")).hasMessageContaining("takes [lock, fence");
        ScriptCall call = Script.FORCE.call().key("lock", "x").argument("retention", "1");
        assertThatThrownBy(() -> call.argument("retention", "1")).hasMessageContaining("number 2");
        assertThat(call.bySha1().arguments()).containsExactly(Script.FORCE.sha1(), "1", "x", "1");
    }
}
