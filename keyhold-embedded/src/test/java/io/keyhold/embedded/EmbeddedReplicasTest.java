package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class EmbeddedReplicasTest {
    @Test
    void everyReplicaAcknowledgesAsSoonAsAllAreStarted() throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start()) {
            assertThat(servers.members()).hasSize(3);
            assertThat(servers.master()).isSameAs(servers.members().get(0));
            assertThat(servers.replicas()).isEqualTo(servers.members().subList(1, 3));
            try (RawRedis connection = new RawRedis(servers.master())) {
                assertThat(connection.ask("SET", "color", "green")).containsExactly("OK");
                assertThat(connection.ask("WAIT", "2", "30000")).containsExactly("2");
            }
            for (EmbeddedRedis replica : servers.replicas()) {
                assertThat(RawRedis.ask(replica, "GET", "color")).containsExactly("green");
                assertThat(RawRedis.ask(replica, "SET", "color", "red").get(0)).startsWith("-READONLY");
            }
        }
    }

    @Test
    void failoverSwapsMasterAndReplica() throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start()) {
            EmbeddedRedis former = servers.master();
            former.kill();
            EmbeddedRedis successor = servers.replicas().get(1);
            servers.promote(successor);
            assertThat(servers.master()).isSameAs(successor);
            assertThat(servers.replicas()).hasSize(1);

            former.restart();
            assertThatThrownBy(servers::master)
                    .isInstanceOf(EmbeddedRedisException.class)
                    .hasMessageContaining("one member must be the master, but these say so:")
                    .hasMessageContaining(former.toString())
                    .hasMessageContaining(successor.toString());
            servers.promote(successor);
            assertThat(servers.master()).isSameAs(successor);
            assertThat(servers.replicas()).hasSize(2).contains(former);
        }
    }

    @Test
    void memberThatClosesItsConnectionsIsAskedAgain() throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.builder().replicas(1).start();
                RawRedis closer = new RawRedis(servers.master())) {
            EmbeddedRedis master = servers.master();
            CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 2_000; i++) {
                    assertThat(servers.master()).isSameAs(master);
                }
            });
            int closed = 0;
            while (!asked.isDone()) {
                closed += Integer.parseInt(
                        closer.ask("CLIENT", "KILL", "TYPE", "normal").get(0));
            }
            asked.get();
            assertThat(closed).isPositive();
        }
    }

    @Test
    void pausedMemberIsLeftOutUntilResumed() {
        try (EmbeddedReplicas servers = EmbeddedReplicas.start()) {
            EmbeddedRedis replica = servers.replicas().get(0);
            replica.pause();
            servers.awaitReady();
            assertThat(servers.replicas()).hasSize(1).doesNotContain(replica);
            replica.resume();
            servers.awaitReady();
            assertThat(servers.replicas()).hasSize(2).contains(replica);
        }
    }

    @Test
    void restartedReplicaGetsItsDataAgain() throws Exception {
        try (EmbeddedReplicas servers = EmbeddedReplicas.builder().replicas(1).start()) {
            EmbeddedRedis replica = servers.replicas().get(0);
            replica.kill();
            RawRedis.ask(servers.master(), "SET", "color", "green");
            replica.restart();
            servers.awaitReady();
            assertThat(RawRedis.ask(replica, "GET", "color")).containsExactly("green");
        }
    }

    @Test
    void passwordAndOptionsApplyToAllMembers() throws Exception {
        EmbeddedReplicasBuilder builder =
                EmbeddedReplicas.builder().replicas(1).password("se \"cret").option("min-replicas-to-write", "1");
        try (EmbeddedReplicas servers = builder.start()) {
            for (EmbeddedRedis member : servers.members()) {
                try (RawRedis connection = new RawRedis(member)) {
                    assertThat(connection.ask("PING").get(0)).startsWith("-NOAUTH");
                    assertThat(connection.ask("AUTH", "se \"cret")).containsExactly("OK");
                    assertThat(connection.ask("CONFIG", "GET", "min-replicas-to-write"))
                            .containsExactly("min-replicas-to-write", "1");
                }
            }
            assertThat(servers.toString()).doesNotContain("cret");
        }
    }

    @Test
    void nothingIsLeftWhenClosed() {
        EmbeddedReplicas servers = EmbeddedReplicas.start();
        List<EmbeddedRedis> members = servers.members();
        members.get(1).pause();
        servers.close();
        servers.close();
        for (EmbeddedRedis member : members) {
            assertThat(member.isRunning()).isFalse();
            assertThat(ProcessHandle.of(member.pid())).isEmpty();
            assertThat(member.directory()).doesNotExist();
            assertThat(Ports.isFree(member.port())).isTrue();
        }
    }

    @Test
    void badSettingsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmbeddedReplicas.builder().replicas(21))
                .withMessage("replicas 21: must be from 0 to 20");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmbeddedReplicas.builder().password("s3cr3t\n"))
                .withMessage("password: must have at least one character and no control character");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmbeddedReplicas.builder().timeout(java.time.Duration.ZERO))
                .withMessage("timeout PT0S: must be more than zero and at most PT1H");
        try (EmbeddedReplicas servers = EmbeddedReplicas.builder().replicas(0).start();
                EmbeddedRedis stranger = EmbeddedRedis.start()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> servers.promote(stranger))
                    .withMessageContaining("is not one of");
        }
    }
}
