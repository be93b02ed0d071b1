package io.keyhold.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.InMemorySpace;
import io.keyhold.Keyhold;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;

/** Leaders of two applications. */
final class KeyholdLeaderInitiatorTest {

    private final InMemorySpace space = InMemorySpace.create();
    private final Node one = new Node(new DefaultCandidate("one", "scheduler"));
    private final Node two = new Node(new DefaultCandidate("two", "scheduler"));

    @AfterEach
    void stop() {
        one.context.close();
        two.context.close();
    }

    /** An application with one candidate. */
    private final class Node {

        private final GenericApplicationContext context = new GenericApplicationContext();
        private final BlockingQueue<AbstractLeaderEvent> events = new LinkedBlockingQueue<>();

        Node(DefaultCandidate candidate) {
            context.registerBean(
                    Keyhold.class, () -> Keyhold.builder().inMemory(space).build());
            context.registerBean(
                    KeyholdLeaderInitiator.class,
                    () -> new KeyholdLeaderInitiator(context.getBean(Keyhold.class), candidate));
            context.addApplicationListener((ApplicationListener<AbstractLeaderEvent>) events::add);
        }

        KeyholdLeaderInitiator initiator() {
            return context.getBean(KeyholdLeaderInitiator.class);
        }

        void expect(Class<? extends AbstractLeaderEvent> type) throws InterruptedException {
            AbstractLeaderEvent event = events.poll(1, TimeUnit.MINUTES);
            assertThat(event).isInstanceOf(type);
            assertThat(event.getRole()).isEqualTo("scheduler");
        }
    }

    @Test
    void oneLeadsUntilItYields() throws InterruptedException {
        one.context.refresh();
        one.expect(OnGrantedEvent.class);
        two.context.refresh();
        assertThat(one.initiator().getContext().isLeader()).isTrue();
        assertThat(two.initiator().getContext().isLeader()).isFalse();

        one.initiator().getContext().yield();

        one.expect(OnRevokedEvent.class);
        two.expect(OnGrantedEvent.class);
        assertThat(one.initiator().getContext().isLeader()).isFalse();
        assertThat(two.initiator().getContext().isLeader()).isTrue();
        assertThat(two.initiator().getContext().getRole()).isEqualTo("scheduler");
    }

    @Test
    void closingTheContextPassesLeadershipOn() throws InterruptedException {
        one.context.refresh();
        one.expect(OnGrantedEvent.class);
        two.context.refresh();
        one.context.close();
        two.expect(OnGrantedEvent.class);
    }

    @Test
    void stoppedCandidateMayStandAgain() throws InterruptedException {
        one.context.refresh();
        one.expect(OnGrantedEvent.class);
        one.initiator().stop();
        one.expect(OnRevokedEvent.class);
        assertThat(one.initiator().isRunning()).isFalse();
        assertThat(one.initiator().getContext().isLeader()).isFalse();
        one.initiator().start();
        one.expect(OnGrantedEvent.class);
    }

    @Test
    void candidateThatFailsGivesTheLeadershipUp() throws InterruptedException {
        Node failing = new Node(new DefaultCandidate("failing", "scheduler") {
            @Override
            public void onGranted(Context context) {
                throw new NoClassDefFoundError("not ready");
            }
        });
        failing.context.refresh();
        two.context.refresh();
        two.expect(OnGrantedEvent.class);
        failing.context.close();
    }

    /** Endpoints of the role are stopped by the event. */
    @Test
    void candidateThatFailsToStopIsRevokedNevertheless() throws InterruptedException {
        Node failing = new Node(new DefaultCandidate("failing", "scheduler") {
            @Override
            public void onRevoked(Context context) {
                throw new IllegalStateException("still busy");
            }
        });
        failing.context.refresh();
        failing.expect(OnGrantedEvent.class);
        failing.initiator().stop();
        failing.expect(OnRevokedEvent.class);
        failing.context.close();
    }
}
