package io.keyhold.internal.simulation;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection by which messages of one node reach one client. Its address is the one under which it was opened last.
 */
final class Subscription {

    private static final long NOTICED_LATE = 20 * FaultProfile.SECOND;

    private static final double BROKEN_BY_FAILOVER = 0.3;

    private final Link link;
    private final Simulation simulation;
    private String address;
    private final GrantListener grantListener = new GrantListener();
    private @Nullable GrantSubscription atNode;
    private @Nullable NodeStore openedAt;
    private @Nullable Connection connection;
    /** Whether the connection is at a server that is a replica by now: it hears what the master publishes. */
    private boolean atReplica;

    private long lastArrival;

    Subscription(Link link) {
        this.link = link;
        this.simulation = link.simulation();
        this.address = link.node().grantChannel(link.client().name());
    }

    boolean isAt(String other) {
        return atNode != null && address.equals(other);
    }

    CompletionStage<Optional<GrantSubscription>> open(String channel, GrantSubscription.Listener listener) {
        Connection opening = new Connection(channel, listener);
        return link.ask(Message.of("subscribe", Message.On.NEW, store -> {
            GrantSubscription known = atNode;
            if (known != null && !address.equals(channel)) {
                noticed(known);
            }
            address = channel;
            if (atNode == null || openedAt != store) {
                atNode = link.node().openGrantChannel(address, grantListener);
                openedAt = store;
            }
            connection = opening;
            atReplica = false;
            if (!link.client().isAlive()) {
                cut(true); // It died meanwhile: the server reads the end of the connection behind the command.
            }
            return CompletableFuture.completedStage(Optional.<GrantSubscription>of(opening));
        }));
    }

    /** The server that has the address from now on does not know it. It breaks, or stays where it is. */
    void failedOver() {
        GrantSubscription subscription = atNode;
        if (subscription == null) {
            return;
        }
        Connection known = connection;
        if (known == null || simulation.chance(BROKEN_BY_FAILOVER)) {
            cut(true);
            return;
        }
        noticed(subscription);
        atReplica = true;
    }

    void publishedToReplicas(String channel, Consumer<GrantSubscription.Listener> message) {
        if (atReplica && address.equals(channel)) {
            grantListener.tell("something as a replica", message);
        }
    }

    /** The connection breaks. The client is notified, or has to find out; so does the server. */
    void cut(boolean serverNotices) {
        Connection broken = connection;
        connection = null;
        atReplica = false;
        GrantSubscription subscription = atNode;
        if (subscription != null) {
            if (serverNotices) {
                noticed(subscription);
            } else {
                simulation.after(NOTICED_LATE, () -> {
                    if (connection == null && atNode == subscription) {
                        noticed(subscription);
                    }
                });
            }
        }
        if (broken != null && link.profile().tellsOfEnd()) {
            link.client().at(simulation.now() + link.profile().delay(), this, broken::ended);
        }
    }

    private void noticed(GrantSubscription subscription) {
        subscription.close();
        if (atNode == subscription) {
            atNode = null;
        }
    }

    /** One connection, from the client's side. */
    private final class Connection implements GrantSubscription {

        private final String channel;
        private final Listener listener;
        private boolean over;

        Connection(String channel, Listener listener) {
            this.channel = channel;
            this.listener = listener;
        }

        void ended() {
            if (!over) {
                over = true;
                simulation.note(
                        link.client().name(),
                        "hears",
                        () -> "that its subscription at " + link.node().name() + " ended");
                listener.ended(new IllegalStateException("the connection broke"));
            }
        }

        @Override
        public String address() {
            return channel;
        }

        @Override
        public CompletionStage<Boolean> probe() {
            Message<Boolean> probe = Message.of("probe", Message.On.ANY, store -> {
                GrantSubscription subscription = atNode;
                if (subscription != null && openedAt == store) {
                    return subscription.probe();
                }
                heardAtReplica();
                return CompletableFuture.completedStage(false);
            });
            return link.ask(probe.atReplica(() -> CompletableFuture.completedStage(heardAtReplica())));
        }

        private boolean heardAtReplica() {
            if (atReplica) {
                grantListener.probed();
            }
            return atReplica;
        }

        @Override
        public void close() {
            over = true;
            if (connection == this) {
                connection = null;
                atReplica = false;
                GrantSubscription subscription = atNode;
                if (subscription != null) {
                    simulation.after(link.profile().delay(), () -> {
                        if (connection == null && atNode == subscription) {
                            noticed(subscription);
                        }
                    });
                }
            }
        }
    }

    /** At the node's end. */
    private final class GrantListener implements GrantSubscription.Listener {

        private void tell(String what, Consumer<GrantSubscription.Listener> message) {
            Connection known = connection;
            if (known == null || link.profile().losesMessage()) {
                return;
            }
            lastArrival = Math.max(
                    lastArrival,
                    link.notStalled(simulation.now() + link.profile().delay()));
            link.client().at(lastArrival, Subscription.this, () -> {
                if (connection == known && !known.over) {
                    simulation.note(
                            link.client().name(),
                            "is told",
                            () -> what + " by " + link.node().name());
                    message.accept(known.listener);
                }
            });
        }

        @Override
        public void granted(GrantNotice notice) {
            tell("granted " + notice, listener -> listener.granted(notice));
        }

        @Override
        public void freed(long number) {
            tell("freed " + number, listener -> listener.freed(number));
        }

        @Override
        public void probed() {
            tell("probed", GrantSubscription.Listener::probed);
        }

        @Override
        public void ended(Throwable reason) {}
    }
}
