package io.keyhold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.QuorumOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The meter of a quorum. */
final class QuorumNodesTest {

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final KeyholdMetrics metrics = new KeyholdMetrics(registry);

    @Test
    void unreachableNodeIsCounted() throws InterruptedException {
        try (EmbeddedRedis one = EmbeddedRedis.start();
                EmbeddedRedis two = EmbeddedRedis.start();
                EmbeddedRedis three = EmbeddedRedis.start();
                Keyhold keyhold = Keyhold.builder()
                        .quorum(
                                List.of(one.uri(), two.uri(), three.uri()),
                                QuorumOptions.builder()
                                        .nodeTimeout(Duration.ofSeconds(5))
                                        .admitFreshNodes(true)
                                        .build())
                        .listener(metrics)
                        .build()) {
            metrics.bindTo(keyhold);
            assertThat(nodes("quarantined")).as("before the first vote").isEqualTo(3);
            keyhold.lock("order:1").acquire().release();
            while (keyhold.inspect().quorum().orElseThrow().nodes().stream().anyMatch(node -> !node.canVote())) {
                Thread.sleep(5);
            }
            clock.add(Duration.ofSeconds(5));
            assertThat(nodes("voting")).isEqualTo(3);
            assertThat(nodes("unreachable")).isZero();

            three.kill();
            assertThat(nodes("voting")).as("read again within five seconds").isEqualTo(3);
            clock.add(Duration.ofSeconds(5));
            assertThat(nodes("voting")).isEqualTo(2);
            assertThat(nodes("unreachable")).isOne();
            assertThat(nodes("quarantined")).isZero();
        }
        clock.add(Duration.ofSeconds(5));
        assertThat(nodes("voting")).as("of a closed client").isNaN();
    }

    @Test
    void clientWithoutQuorumHasNoSuchMeter() {
        try (Keyhold keyhold = Keyhold.builder().inMemory().listener(metrics).build()) {
            metrics.bindTo(keyhold);
            assertThat(registry.find("keyhold.quorum.nodes").meters()).isEmpty();
        }
    }

    @Test
    void marginIsShortestOfTwoMinutes() {
        LeaseMargin margin = new LeaseMargin(clock);
        assertThat(margin.shortestNanos()).isNaN();
        margin.add(Duration.ofNanos(5));
        margin.add(Duration.ofNanos(9));
        assertThat(margin.shortestNanos()).isEqualTo(5);
        clock.add(Duration.ofMinutes(1));
        margin.add(Duration.ofNanos(7));
        assertThat(margin.shortestNanos()).isEqualTo(5);
        clock.add(Duration.ofMinutes(1));
        assertThat(margin.shortestNanos()).isEqualTo(7);
        clock.add(Duration.ofMinutes(3));
        assertThat(margin.shortestNanos()).isNaN();
    }

    private double nodes(String state) {
        return registry.get("keyhold.quorum.nodes").tag("state", state).gauge().value();
    }
}
