package io.keyhold.tests.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.LeaderElection;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The process of a leader is killed: the next candidate is elected when its lease ends, and not before. The tests mostly wait, so
 * several run at a time.
 */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class LeaderDeathTest {

    @ParameterizedTest
    @EnumSource(Setup.class)
    void nextCandidateIsElectedWhenLeaseEnds(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                LeaderJvm leader = LeaderJvm.start("first", setup, server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            long first = leader.awaitElected();
            CompletableFuture<Long> elected = new CompletableFuture<>();
            LeaderElection election = LeaderJvm.stand(keyhold).onElected(elected::complete);
            assertThat(election.isLeader()).isFalse();

            leader.kill();
            // The lease is no longer renewed, so from here the expiry on the server is final.
            long endsAt = console.micros() + 1000 * Long.parseLong(console.text("PTTL", LeaderJvm.ROLE));
            assertThat(elected.get(60, TimeUnit.SECONDS)).isGreaterThan(first);

            Instant since = keyhold.inspect()
                    .lock(LeaderJvm.ROLE)
                    .holder()
                    .orElseThrow()
                    .heldSince()
                    .orElseThrow();
            long grantedAt = since.getEpochSecond() * 1_000_000 + since.getNano() / 1000;
            assertThat(grantedAt).isGreaterThanOrEqualTo(endsAt - 2_000);
            assertThat(election.isLeader()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void resignationElectsAnotherProcess(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold keyhold = setup.client(server.uri()).build();
                LeaderElection election = LeaderJvm.stand(keyhold)) {
            CompletableFuture<Long> elected = new CompletableFuture<>();
            election.onElected(elected::complete);
            long own = elected.get(60, TimeUnit.SECONDS);
            try (LeaderJvm other = LeaderJvm.start("other", setup, server.uri())) {
                while (keyhold.inspect().lock(LeaderJvm.ROLE).waiterCount() == 0) {
                    TimeUnit.MILLISECONDS.sleep(5);
                }
                CompletableFuture<Long> again = new CompletableFuture<>();
                election.onRevoked(() -> election.onElected(again::complete));
                assertThat(election.resign()).isTrue();
                long others = other.awaitElected();
                assertThat(others).isGreaterThan(own);
                other.kill();
                assertThat(again.get(60, TimeUnit.SECONDS)).isGreaterThan(others);
            }
        }
    }
}
