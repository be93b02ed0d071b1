package io.keyhold.spring.integration;

import io.keyhold.ElectionOptions;
import io.keyhold.Keyhold;
import io.keyhold.LeaderElection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/**
 * Elects a leader for Spring Integration by {@link Keyhold#election}: the candidate is called, and {@code OnGrantedEvent} and {@code OnRevokedEvent} are published, so
 * that endpoints of the role start and stop. Other candidates wait in a queue, without polling, and a leader that is cut off steps down before another
 * can be elected.
 *
 * <pre>{@code
 * @Bean
 * KeyholdLeaderInitiator leader(Keyhold keyhold) {
 *     return new KeyholdLeaderInitiator(keyhold, new DefaultCandidate("node-1", "scheduler"));
 * }
 * }</pre>
 *
 * <p>The lock of the leader has the role as its key. {@code onGranted} should return soon; one that throws gives the leadership up.
 */
public final class KeyholdLeaderInitiator implements SmartLifecycle, DisposableBean, ApplicationEventPublisherAware {

    private static final System.Logger LOG = System.getLogger(KeyholdLeaderInitiator.class.getName());

    private final Keyhold keyhold;
    private final Candidate candidate;
    private final ElectionOptions options;
    private LeaderEventPublisher events = new DefaultLeaderEventPublisher();
    private boolean autoStartup = true;
    private int phase = Integer.MAX_VALUE - 1000;
    private volatile @Nullable Term term;

    /** Creates an initiator for the default role, {@code leader}. */
    public KeyholdLeaderInitiator(Keyhold keyhold) {
        this(keyhold, new DefaultCandidate());
    }

    /** Creates an initiator for this candidate. */
    public KeyholdLeaderInitiator(Keyhold keyhold, Candidate candidate) {
        this(keyhold, candidate, ElectionOptions.defaults());
    }

    /** Creates an initiator for this candidate, with these options of the election. */
    public KeyholdLeaderInitiator(Keyhold keyhold, Candidate candidate, ElectionOptions options) {
        this.keyhold = Objects.requireNonNull(keyhold, "keyhold must not be null");
        this.candidate = Objects.requireNonNull(candidate, "candidate must not be null");
        this.options = Objects.requireNonNull(options, "options must not be null");
    }

    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
        events = new DefaultLeaderEventPublisher(publisher);
    }

    /** Sets what publishes the events. Default: as events of the application. */
    public void setLeaderEventPublisher(LeaderEventPublisher publisher) {
        events = Objects.requireNonNull(publisher, "publisher must not be null");
    }

    /** Returns what is known of the leadership. Not leader before {@link #start} and after {@link #stop}. */
    public Context getContext() {
        Term current = term;
        return current != null ? current : () -> false;
    }

    @Override
    public synchronized void start() {
        if (term == null) {
            Term started = new Term(keyhold.election(candidate.getRole(), options));
            term = started;
            started.begin();
        }
    }

    /** Withdraws the candidate; a leader is revoked first. */
    @Override
    public synchronized void stop() {
        Term ended = term;
        if (ended != null) {
            ended.election.close();
            term = null;
        }
    }

    @Override
    public void destroy() {
        stop();
    }

    @Override
    public boolean isRunning() {
        return term != null;
    }

    @Override
    public boolean isAutoStartup() {
        return autoStartup;
    }

    /** Sets whether the candidate stands when the context starts. Default: true. */
    public void setAutoStartup(boolean autoStartup) {
        this.autoStartup = autoStartup;
    }

    @Override
    public int getPhase() {
        return phase;
    }

    /** Sets the phase of the life cycle. Default: late. */
    public void setPhase(int phase) {
        this.phase = phase;
    }

    /** The time from a start to a stop. */
    private final class Term implements Context {

        private final LeaderElection election;
        /** Only on the election's listeners, which run one at a time. */
        private boolean granted;

        Term(LeaderElection election) {
            this.election = election;
        }

        void begin() {
            // In this order, so that no revocation of a leadership is missed that the candidate was told of.
            election.onRevoked(this::revoked).onElected(token -> elected());
        }

        private void elected() {
            granted = true;
            try {
                candidate.onGranted(this);
                events.publishOnGranted(KeyholdLeaderInitiator.this, this, candidate.getRole());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                election.resign();
            } catch (Throwable e) {
                LOG.log(
                        System.Logger.Level.ERROR,
                        "candidate of role '" + candidate.getRole() + "' failed; it resigns",
                        e);
                election.resign();
            }
        }

        private void revoked() {
            if (granted) {
                granted = false;
                try {
                    candidate.onRevoked(this);
                } finally {
                    // Also if it throws: endpoints of the role must not run beside those of the next leader.
                    events.publishOnRevoked(KeyholdLeaderInitiator.this, this, candidate.getRole());
                }
            }
        }

        @Override
        public boolean isLeader() {
            return election.isLeader();
        }

        @Override
        public void yield() {
            election.resign();
        }

        @Override
        public String getRole() {
            return candidate.getRole();
        }
    }
}
