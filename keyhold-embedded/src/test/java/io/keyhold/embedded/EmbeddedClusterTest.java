package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EmbeddedClusterTest {
    @Test
    @Tag("full")
    void killedMasterReturnsAsReplica() throws Exception {
        EmbeddedClusterBuilder builder = EmbeddedCluster.builder().nodeTimeout(Duration.ofSeconds(5));
        try (EmbeddedCluster cluster = builder.start()) {
            assertThat(cluster.nodes()).hasSize(6);
            assertThat(cluster.masters()).hasSize(3);
            assertThat(cluster.masters())
                    .allSatisfy(each -> assertThat(cluster.replicasOf(each)).hasSize(1));
            assertThat(cluster.uri())
                    .startsWith("redis-cluster://127.0.0.1:"
                            + cluster.nodes().get(0).port() + ",127.0.0.1:");

            EmbeddedRedis former = cluster.masterOf("{tag}a");
            try (RawRedis connection = new RawRedis(former)) {
                assertThat(connection.ask("SET", "{tag}a", "1")).containsExactly("OK");
                assertThat(connection.ask("WAIT", "1", "30000")).containsExactly("1");
            }
            former.kill();
            cluster.awaitReady();
            EmbeddedRedis successor = cluster.masterOf("{tag}a");
            assertThat(successor).isNotSameAs(former);
            assertThat(RawRedis.ask(successor, "GET", "{tag}a")).containsExactly("1");

            former.restart();
            cluster.awaitReady();
            assertThat(cluster.masterOf("{tag}a")).isSameAs(successor);
            assertThat(cluster.replicasOf(successor)).containsExactly(former);
        }
    }

    @Test
    void slotMovesWithItsKeys() throws Exception {
        EmbeddedClusterBuilder builder = EmbeddedCluster.builder()
                .replicasPerMaster(0)
                .password("secret")
                .nodeTimeout(Duration.ofSeconds(5));
        try (EmbeddedCluster cluster = builder.start()) {
            int slot = cluster.slotOf("{tag}");
            EmbeddedRedis from = cluster.masterOf(slot);
            EmbeddedRedis to = cluster.masters().stream()
                    .filter(each -> each != from)
                    .findFirst()
                    .orElseThrow();
            try (RawRedis old = new RawRedis(from);
                    RawRedis target = new RawRedis(to)) {
                old.ask("AUTH", "secret");
                target.ask("AUTH", "secret");
                for (int i = 0; i < 250; i++) {
                    assertThat(old.ask("SET", "{tag}" + i, "v" + i)).containsExactly("OK");
                }
                SlotMove move = cluster.startMove(slot, to);
                assertThat(old.ask("GET", "{tag}7")).containsExactly("v7");
                move.moveKeys();
                assertThat(old.ask("GET", "{tag}7")).containsExactly("-ASK " + slot + " 127.0.0.1:" + to.port());
                assertThat(target.ask("GET", "{tag}7")).containsExactly("-MOVED " + slot + " 127.0.0.1:" + from.port());
                move.finish();
                assertThat(old.ask("GET", "{tag}7")).containsExactly("-MOVED " + slot + " 127.0.0.1:" + to.port());
                assertThat(target.ask("GET", "{tag}7")).containsExactly("v7");
                assertThat(target.ask("CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)))
                        .containsExactly("250");
                assertThat(cluster.masterOf(slot)).isSameAs(to);

                cluster.moveSlot(slot, from);
                cluster.moveSlot(slot, from);
                assertThat(old.ask("GET", "{tag}7")).containsExactly("v7");
            }
        }
    }

    @Test
    void nothingIsLeftWhenClosedAndBadSettingsAreRefused() {
        EmbeddedCluster cluster =
                EmbeddedCluster.builder().masters(1).replicasPerMaster(1).start();
        List<EmbeddedRedis> nodes = cluster.nodes();
        try (cluster) {
            assertThat(nodes).hasSize(2);
            assertThat(cluster.masters()).containsExactly(nodes.get(0));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.masterOf(16_384))
                    .withMessage("slot 16384: must be from 0 to 16383");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.startMove(5, nodes.get(1)))
                    .withMessage(nodes.get(1) + ": must be a master, and another one than that of slot 5");
        }
        assertThat(nodes).noneMatch(EmbeddedRedis::isRunning);
        assertThat(nodes).allSatisfy(each -> assertThat(each.directory()).doesNotExist());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmbeddedCluster.builder().masters(0))
                .withMessage("masters 0: must be from 1 to 10");
    }
}
