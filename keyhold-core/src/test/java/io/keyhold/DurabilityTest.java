package io.keyhold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DurabilityTest {

    private static final Durability ONE = Durability.replicas(1);

    @Test
    void settingsAreKept() {
        Durability durability = Durability.replicas(2)
                .withAdmitFreshNodes(true)
                .withLongestLease(Duration.ofSeconds(30))
                .withAcknowledgeTimeout(Duration.ofMillis(200));
        assertThat(durability.replicas()).isEqualTo(2);
        assertThat(durability.longestLease()).isEqualTo(Duration.ofSeconds(30));
        assertThat(durability.acknowledgeTimeout()).isEqualTo(Duration.ofMillis(200));
        assertThat(durability.admitFreshNodes()).isTrue();
        assertThat(durability)
                .hasToString(
                        "durability by 2 replicas (longestLease 30 s, acknowledgeTimeout 200 ms, fresh nodes admitted)");
        assertThat(durability).isEqualTo(durability.withLongestLease(Duration.ofSeconds(30)));
        assertThat(durability).isNotEqualTo(durability.withLongestLease(Duration.ofSeconds(31)));
        assertThat(durability).hasSameHashCodeAs(durability.withLongestLease(Duration.ofSeconds(30)));
        assertThat(Durability.none().replicas()).isZero();
        assertThat(Durability.none()).hasToString("no durability");
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> Durability.replicas(0)).hasMessageContaining("replicas must be from 1 to 100, was 0");
        assertThatThrownBy(() -> ONE.withLongestLease(Duration.ofMillis(999))).hasMessageContaining("longestLease");
        assertThatThrownBy(() -> ONE.withAcknowledgeTimeout(Duration.ZERO)).hasMessageContaining("acknowledgeTimeout");
    }

    @Test
    void placesWithoutReplicasAreRefused() {
        assertThatThrownBy(() -> Keyhold.builder().inMemory().durability(ONE).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "durability by replicas needs servers with replicas, set by uri, driver or cluster, had inMemory()");
        assertThatThrownBy(() -> Keyhold.builder()
                        .quorum("redis://a", "redis://b", "redis://c")
                        .durability(ONE)
                        .build())
                .hasMessageEndingWith("had quorum");
        assertThatThrownBy(() -> Keyhold.builder()
                        .uri("redis://a")
                        .commands(CommandStyle.TRANSACTIONS)
                        .durability(ONE)
                        .build())
                .hasMessage("commands must be SCRIPTS for durability by replicas, was TRANSACTIONS");
    }

    @Test
    void acknowledgeTimeoutMustBeShorterThanCommandTimeout() {
        for (String scheme : List.of("redis", "redis-cluster")) {
            assertThatThrownBy(() -> Keyhold.builder()
                            .uri(scheme + "://a?commandTimeout=500ms")
                            .durability(ONE)
                            .build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "acknowledgeTimeout of the durability must be shorter than commandTimeout (500 ms), was 1 s");
        }
    }
}
