package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EmbeddedSentinelTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    @Test
    @Tag("full")
    void killedMasterIsReplaced() throws Exception {
        try (EmbeddedSentinel topology = EmbeddedSentinel.start()) {
            assertThat(topology.members()).hasSize(3);
            assertThat(topology.sentinels()).hasSize(3);
            assertThat(topology.uri())
                    .isEqualTo("redis-sentinel://127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d/0?master=mymaster"
                            .formatted(topology.sentinels().stream()
                                    .map(EmbeddedRedis::port)
                                    .toArray()));
            EmbeddedRedis former = topology.master();
            try (SentinelEvents events = topology.events(topology.sentinels().get(2))) {
                former.kill();
                assertThat(events.await("+switch-master", LONG))
                        .startsWith("mymaster 127.0.0.1 " + former.port() + " 127.0.0.1 ");
            }
            EmbeddedRedis successor = topology.awaitFailover(former);
            assertThat(successor).isNotSameAs(former);
            assertThat(RawRedis.ask(successor, "ROLE").get(0)).isEqualTo("master");
        }
    }

    @Test
    @Tag("full")
    void restartedSentinelRemembersFailover() throws Exception {
        EmbeddedSentinelBuilder builder = EmbeddedSentinel.builder()
                .replicas(1)
                .masterName("invoices")
                .downAfter(LONG) // No failover but those that are ordered.
                .password("server-secret")
                .sentinelPassword("sentinel-secret");
        try (EmbeddedSentinel topology = builder.start()) {
            EmbeddedRedis sentinel = topology.sentinels().get(0);
            assertThat(RawRedis.ask(sentinel, "PING").get(0)).startsWith("-NOAUTH");
            assertThat(RawRedis.ask(topology.master(), "PING").get(0)).startsWith("-NOAUTH");
            assertThat(topology.uri()).endsWith("?master=invoices").doesNotContain("secret");

            EmbeddedRedis former = topology.master();
            EmbeddedRedis successor = topology.failover();
            assertThat(successor).isNotSameAs(former);
            assertThat(topology.master()).isSameAs(successor);

            sentinel.restart();
            assertThat(topology.masterAccordingTo(sentinel)).isSameAs(successor);
            topology.awaitReady();
            assertThat(topology.failover()).isSameAs(former);
        }
    }

    @Test
    @Tag("full")
    void formerMasterReturnsAsReplica() throws Exception {
        try (EmbeddedSentinel topology = EmbeddedSentinel.start()) {
            EmbeddedRedis killed = topology.master();
            killed.kill();
            EmbeddedRedis paused = topology.awaitFailover(killed);
            killed.restart();
            topology.awaitReady();
            assertThat(topology.master()).isNotSameAs(killed);
            assertThat(topology.replicas()).hasSize(2).contains(killed);

            paused.pause();
            topology.awaitFailover(paused);
            paused.resume();
            topology.awaitReady();
            assertThat(RawRedis.ask(paused, "ROLE").get(0)).isEqualTo("slave");
        }
    }

    @Test
    void missingEventTimesOut() {
        try (EmbeddedSentinel topology =
                EmbeddedSentinel.builder().replicas(1).sentinels(1).start()) {
            EmbeddedRedis sentinel = topology.sentinels().get(0);
            try (SentinelEvents events = topology.events(sentinel)) {
                assertThatThrownBy(() -> events.await("+no-such-event", Duration.ofMillis(50)))
                        .isInstanceOf(EmbeddedRedisException.class)
                        .hasMessageContaining("waiting for +no-such-event of " + sentinel);
                sentinel.kill();
                assertThatThrownBy(() -> events.await("+switch-master", LONG))
                        .isInstanceOf(EmbeddedRedisException.class)
                        .hasMessageNotContaining("no such event within");
            }
            assertThatThrownBy(topology::master)
                    .isInstanceOf(EmbeddedRedisException.class)
                    .hasMessage("no majority of the sentinels names one master: {}");
        }
    }

    @Test
    void nothingIsLeftWhenClosed() {
        EmbeddedSentinel topology =
                EmbeddedSentinel.builder().replicas(1).sentinels(2).start();
        List<EmbeddedRedis> sentinels = topology.sentinels();
        List<EmbeddedRedis> members = topology.members();
        topology.close();
        assertThat(sentinels).hasSize(2).noneMatch(EmbeddedRedis::isRunning);
        assertThat(members).hasSize(2).noneMatch(EmbeddedRedis::isRunning);
        assertThat(sentinels).allSatisfy(each -> assertThat(each.directory()).doesNotExist());
        assertThat(members).allSatisfy(each -> assertThat(each.directory()).doesNotExist());
    }

    @Test
    void badSettingsAreRefused() {
        EmbeddedSentinelBuilder builder = EmbeddedSentinel.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.sentinels(0))
                .withMessage("sentinels 0: must be from 1 to 20");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.replicas(0))
                .withMessage("replicas 0: must be from 1 to 20");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.masterName("my master"))
                .withMessage("masterName \"my master\": must consist of letters, digits, '.', '_' and '-'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.downAfter(Duration.ZERO))
                .withMessage("downAfter PT0S: must be from 1 ms to 1 hour");
    }
}
