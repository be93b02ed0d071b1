package io.keyhold.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScriptTest {

    private static final Script.Text RELEASE = Script.RELEASE.text();

    @ParameterizedTest
    @EnumSource
    void everyScriptHasItsFile(Script script) {
        assertThat(script.text().source()).doesNotContain("-- USES");
    }

    @Test
    void headerNamesKeysAndArguments() {
        assertThat(RELEASE.keyNames()).containsExactly("lock", "counter", "queue", "last");
        assertThat(RELEASE.argumentNames()).containsExactly("held", "ownChannel", "place");
        assertThat(RELEASE.source())
                .startsWith(
                        "local lock = KEYS[1] local counter = KEYS[2] local queue = KEYS[3] local last = KEYS[4] \nlocal held = ARGV[1]");
        assertThat(RELEASE.sha1()).matches("[0-9a-f]{40}");
        assertThat(Script.RENEW.text().keyNames()).isEmpty();
    }

    @Test
    void everyNameOfScriptIsDeclared() {
        assertThat(RELEASE.source())
                .contains("local stride = 64 local keep = 30000")
                .containsSubsequence("local first", "local function handOver", "handOver(first, nil, ownChannel)")
                .doesNotContain("-- USES");
        assertThat(Script.RENEW.text().source()).doesNotContain("handOver");
    }

    @Test
    void durableVariantHasMoreLines() {
        Script.Text plain = Script.ACQUIRE.text();
        Script.Text durable = Script.ACQUIRE.durable();
        assertThat(plain.source()).doesNotContain("DURABLE", "INFO");
        assertThat(durable.source())
                .contains("local marker = table.remove(KEYS)", "INFO")
                .doesNotContain("-- DURABLE", "-- USES");
        assertThat(durable.sha1()).isNotEqualTo(plain.sha1());
        assertThat(durable.keyNames()).isEqualTo(plain.keyNames());
    }

    @Test
    void callWithWrongNamesIsRefused() {
        ScriptCall empty = new ScriptCall(Script.RELEASE);
        assertThatThrownBy(() -> empty.key("counter", "x")).hasMessageContaining("takes [lock, counter");
        ScriptCall call = new ScriptCall(Script.RELEASE).key("lock", "x").argument("held", "1");
        assertThatThrownBy(() -> call.argument("held", "1")).hasMessageContaining("number 2");
        assertThat(call.bySha1().arguments()).containsExactly(RELEASE.sha1(), "1", "x", "1");
    }

    @Test
    void keyAfterArgumentIsRefused() {
        ScriptCall call = new ScriptCall(Script.RENEW).key("lock", "x").argument("token", "1");
        assertThatThrownBy(() -> call.key("lock", "y")).hasMessageContaining("behind an argument");
    }
}
