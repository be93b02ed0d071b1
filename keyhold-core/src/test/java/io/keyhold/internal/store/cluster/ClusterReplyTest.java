package io.keyhold.internal.store.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.spi.RedisAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterReplyTest {

    private static final RedisAddress ASKED = new RedisAddress("10.0.0.1", 7000);
    private static final List<?> SLOTS = List.of(List.of(0L, 16_383L, List.of("10.0.0.2", 7001L)));

    /** Jedis 7.0 to 7.4 leaves the format of a RESP3 text in front of it. */
    @ParameterizedTest
    @CsvSource({"'', ok, true", "txt:, ok, true", "'', fail, false", "txt:, fail, false"})
    void stateAndEpochAreRead(String format, String state, boolean ok) {
        String info = format + "cluster_state:" + state + "\r\ncluster_slots_ok:16384\r\ncluster_current_epoch:7\r\n";
        ClusterReply.Range all = new ClusterReply.Range(0, 16_383, new RedisAddress("10.0.0.2", 7001));
        assertThat(ClusterReply.read(ASKED, info, SLOTS)).contains(new ClusterReply(ok, 7, List.of(all)));
    }

    @Test
    void otherRepliesAreNoClusters() {
        assertThat(ClusterReply.read(ASKED, 1L, SLOTS)).isEmpty();
        assertThat(ClusterReply.read(ASKED, "cluster_state:ok", List.of(List.of(0L, 16_384L))))
                .isEqualTo(Optional.empty());
    }
}
