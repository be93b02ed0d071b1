package io.keyhold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.embedded.EmbeddedCluster;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedReplicas;
import io.keyhold.embedded.EmbeddedSentinel;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole runs: the findings and the picture of each topology. */
final class DoctorTest {

    private static Diagnosis examine(Optional<String> trialKey, String... uris) {
        List<RedisUri> servers = Arrays.stream(uris).map(RedisUri::parse).toList();
        DoctorTarget target = new DoctorTarget(
                servers,
                false,
                JedisDriver::open,
                () -> uris.length == 1
                        ? Keyhold.connect(uris[0])
                        : Keyhold.builder().quorum(uris).build());
        return Doctor.examine(target, new DoctorOptions(trialKey, false));
    }

    private static List<String> states(Diagnosis diagnosis, String role) {
        return diagnosis.nodes().stream()
                .filter(node -> node.role().equals(role))
                .map(TopologyNode::state)
                .toList();
    }

    @Test
    void readOnlyRunLeavesOutTheTrial() {
        try (EmbeddedReplicas group = EmbeddedReplicas.start()) {
            String uri = group.master().uri();
            Diagnosis without = examine(Optional.empty(), uri);
            assertThat(without.all())
                    .extracting(Finding::check)
                    .contains("role")
                    .doesNotContain("trial");
            assertThat(without.kind()).isEqualTo("single");
            assertThat(states(without, "master")).containsExactly("ok");
            assertThat(states(without, "replica")).isNotEmpty().containsOnly("ok");
            Diagnosis with = examine(Optional.of(DoctorOptions.randomTrialKey()), uri);
            assertThat(with.all()).extracting(Finding::check).contains("trial");
        }
    }

    @Test
    void quorumShowsQuarantineAndUnreachableNodes() {
        try (EmbeddedRedis one = EmbeddedRedis.start();
                EmbeddedRedis two = EmbeddedRedis.start()) {
            Diagnosis diagnosis = examine(Optional.empty(), one.uri(), two.uri(), "redis://127.0.0.1:1");
            assertThat(diagnosis.kind()).isEqualTo("quorum");
            assertThat(states(diagnosis, "node")).containsExactly("quarantined", "quarantined", "unreachable");
            assertThat(diagnosis.worst()).isEqualTo(Level.FAIL);
        }
    }

    @Test
    @Tag("full")
    void clusterAndSentinelsAreDrawn() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start()) {
            Diagnosis diagnosis = examine(Optional.empty(), cluster.uri());
            assertThat(diagnosis.kind()).isEqualTo("cluster");
            assertThat(states(diagnosis, "master"))
                    .hasSize(cluster.masters().size())
                    .containsOnly("ok");
        }
        try (EmbeddedSentinel sentinel = EmbeddedSentinel.start()) {
            Diagnosis diagnosis = examine(Optional.empty(), sentinel.uri());
            assertThat(diagnosis.kind()).isEqualTo("sentinel");
            assertThat(states(diagnosis, "sentinel")).isNotEmpty().containsOnly("ok");
            assertThat(states(diagnosis, "master")).containsExactly("ok");
        }
    }
}
