package io.keyhold.tests.contract.lock;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.ElectionOptions;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.LeaderElection;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@link Keyhold#election}. */
public interface ElectionContract extends StoreUnderTest {

    /** The notices of a candidate, in order. */
    final class Candidate implements AutoCloseable {

        private static final long REVOKED = -1;

        private final LeaderElection election;
        private final BlockingQueue<Long> notices = new LinkedBlockingQueue<>();

        private Candidate(LeaderElection election) {
            this.election = election.onRevoked(() -> notices.add(REVOKED)).onElected(notices::add);
        }

        private static Candidate of(Keyhold keyhold, String role) {
            return new Candidate(keyhold.election(role));
        }

        private long next() throws InterruptedException {
            Long notice = notices.poll(60, TimeUnit.SECONDS);
            assertThat(notice).as("a notice").isNotNull();
            return notice;
        }

        /** Returns its fencing token. */
        private long awaitElected() throws InterruptedException {
            long token = next();
            assertThat(token).as("elected").isPositive();
            return token;
        }

        private void awaitRevoked() throws InterruptedException {
            assertThat(next()).as("revoked").isEqualTo(REVOKED);
        }

        @Override
        public void close() {
            election.close();
        }
    }

    @Test
    default void nextCandidateFollowsLeader() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String role = freshKey();
            Candidate one = Candidate.of(first, role);
            long token = one.awaitElected();
            assertThat(one.election.isLeader()).isTrue();
            assertThat(one.election.role()).isEqualTo(role);
            assertThat(one.election.fencingToken()).hasValue(token);
            assertThat(second.inspect().lock(role).holder().orElseThrow().fencingToken())
                    .hasValue(token);
            Candidate two = Candidate.of(second, role);
            assertThat(two.election.resign()).isFalse();
            one.close();
            assertThat(one.election.isLeader()).isFalse();
            assertThat(one.election.fencingToken()).isEmpty();
            assertThat(two.awaitElected()).isGreaterThan(token);
            one.awaitRevoked();
            assertThat(two.election.isLeader()).isTrue();
            two.close();
            assertThat(second.lock(role).isLocked()).isFalse();
            assertThat(one.notices).isEmpty();
        }
    }

    @Test
    default void resignedLeaderIsElectedAgainLater() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String role = freshKey();
            Candidate one = Candidate.of(first, role);
            long token = one.awaitElected();
            try (Candidate two = Candidate.of(second, role)) {
                // The second may not be waiting yet; and where candidates poll, the first may win again.
                while (!two.election.isLeader()) {
                    assertThat(one.election.resign()).isTrue();
                    one.awaitRevoked();
                    while (!two.election.isLeader() && one.notices.isEmpty()) {
                        TimeUnit.MILLISECONDS.sleep(1);
                    }
                    token = two.election.isLeader() ? token : one.awaitElected();
                }
                long next = two.awaitElected();
                assertThat(next).isGreaterThan(token);
                token = next;
            }
            assertThat(one.awaitElected()).isGreaterThan(token);
        }
    }

    @Test
    default void electionsOfOneClientAreSeparateCandidates() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String role = freshKey();
            Candidate one = Candidate.of(keyhold, role);
            long token = one.awaitElected();
            Candidate two = Candidate.of(keyhold, role);
            assertThat(two.election.isLeader()).isFalse();
            one.close();
            assertThat(two.awaitElected()).isGreaterThan(token);
            assertThat(one.election.isLeader()).isFalse();
        }
    }

    @Test
    default void lostLeadershipIsRevokedAndSoughtAgain() throws Exception {
        undisturbed(() -> {
            try (Keyhold keyhold = client().build()) {
                String role = freshKey();
                Candidate one = new Candidate(keyhold.election(
                        role, ElectionOptions.builder().lease(Renewed.LEASE).build()));
                long token = one.awaitElected();
                removeForeign(role);
                one.awaitRevoked();
                assertThat(one.awaitElected()).isGreaterThan(token);
            }
        });
    }

    @Test
    default void closingClientRevokesItsLeadership() throws Exception {
        try (Keyhold second = client().build()) {
            String role = freshKey();
            Candidate one;
            Candidate two;
            Keyhold closed;
            try (Keyhold first = client().build()) {
                closed = first;
                one = Candidate.of(first, role);
                one.awaitElected();
                two = Candidate.of(second, role);
                Candidate.of(first, role);
            }
            one.awaitRevoked();
            assertThat(one.election.isLeader()).isFalse();
            two.awaitElected();
            one.close();
            assertThat(one.notices).isEmpty();
            assertThatThrownBy(() -> closed.election(role)).isInstanceOf(KeyholdClosedException.class);
        }
    }

    @Test
    default void revokedListenerReturnsBeforeNextElection() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String role = freshKey();
            Candidate one = new Candidate(first.election(
                    role,
                    ElectionOptions.builder()
                            .revokedTimeout(Duration.ofMinutes(10))
                            .build()));
            one.awaitElected();
            Candidate two = Candidate.of(second, role);
            BlockingQueue<Boolean> otherLeads = new LinkedBlockingQueue<>();
            one.election.onRevoked(() -> otherLeads.add(one.election.isLeader() || two.election.isLeader()));
            one.close();
            assertThat(otherLeads.poll(60, TimeUnit.SECONDS)).isFalse();
            two.awaitElected();
        }
    }

    @Test
    default void listenerIsToldOfEachCandidacy() throws Exception {
        EventLog log = new EventLog();
        try (Keyhold keyhold = client().listener(log).build()) {
            String role = freshKey();
            Candidate one = Candidate.of(keyhold, role);
            one.awaitElected();
            one.election.resign();
            assertThat(log.awaitEnd(1)).containsExactly("requested", "granted", "ended: RELEASED");
            one.awaitRevoked();
            one.awaitElected();
            one.close();
            assertThat(log.awaitEnd(2)).containsExactly("requested", "granted", "ended: RELEASED");
            assertThat(log.entries().get(0).request().keys()).containsExactly(role);
        }
    }

    @Test
    default void leaderExcludesHoldersOfLock() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String role = freshKey();
            try (Candidate one = Candidate.of(keyhold, role)) {
                one.awaitElected();
                assertThat(keyhold.lock(role).tryAcquire()).isEmpty();
            }
            assertThat(keyhold.lock(role).tryAcquire(Duration.ofSeconds(60))).isPresent();
        }
    }
}
