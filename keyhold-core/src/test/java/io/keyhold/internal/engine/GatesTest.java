package io.keyhold.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GatesTest {

    private final Gates<String> gates = new Gates<>();

    @Test
    void theFirstGoesAheadAndTheOthersFollowInOrder() {
        assertThat(gates.enter("a", "one")).isTrue();
        assertThat(gates.enter("a", "two")).isFalse();
        assertThat(gates.enter("a", "three")).isFalse();
        assertThat(gates.enter("b", "elsewhere")).isTrue();
        assertThat(gates.ahead("a")).contains("one");
        assertThat(gates.next("a")).contains("two");
        assertThat(gates.ahead("a")).contains("two");
        assertThat(gates.next("a")).contains("three");
        assertThat(gates.next("a")).isEmpty();
        assertThat(gates.next("b")).isEmpty();
        assertThat(gates.isEmpty()).isTrue();
    }

    @Test
    void whoLeavesIsNotCalledAndWhoIsAheadCannotLeave() {
        gates.enter("a", "one");
        gates.enter("a", "two");
        gates.enter("a", "three");
        gates.leave("a", "two");
        gates.leave("a", "one");
        gates.leave("nowhere", "one");
        assertThat(gates.ahead("a")).contains("one");
        assertThat(gates.next("a")).contains("three");
    }

    @Test
    void anOpenGateIsOpenForWhoeverComes() {
        gates.enter("a", "one");
        gates.next("a");
        assertThat(gates.enter("a", "two")).isTrue();
    }
}
