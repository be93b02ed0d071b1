package io.keyhold.internal.simulation;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.Inbox;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection by which messages of one node reach one client. As with Redis, the address stays the same when it is opened
 * again.
 */
final class Subscription {

    private static final long NOTICED_LATE = 20 * FaultProfile.SECOND;

    private static final double BROKEN_BY_FAILOVER = 0.3;

    private final Link link;
    private final Simulation simulation;
    private final String address;
    private final Ear ear = new Ear();
    private @Nullable Inbox atNode;
    private @Nullable NodeStore openedAt;
    private @Nullable Connection connection;
    /** Whether the connection is at a server that is a replica by now: it hears what the master publishes. */
    private boolean atReplica;

    private long lastArrival;

    Subscription(Link link) {
        this.link = link;
        this.simulation = link.simulation();
        this.address = address(link.client().name(), link.node().name());
    }

    /** The inbox of this client at this node. */
    static String address(String client, String node) {
        return client + "@" + node;
    }

    boolean isAt(String other) {
        return atNode != null && address.equals(other);
    }

    CompletionStage<Optional<Inbox>> open(Inbox.Listener listener) {
        Connection opening = new Connection(listener);
        return link.ask(Message.of("subscribe", Message.On.NEW, store -> {
            if (atNode == null || openedAt != store) {
                atNode = link.node().openInbox(address, ear);
                openedAt = store;
            }
            connection = opening;
            atReplica = false;
            return CompletableFuture.completedStage(Optional.<Inbox>of(opening));
        }));
    }

    /** The server that has the address from now on does not know it. It breaks, or stays where it is. */
    void failedOver() {
        Inbox inbox = atNode;
        if (inbox == null) {
            return;
        }
        Connection known = connection;
        if (known == null || simulation.chance(BROKEN_BY_FAILOVER)) {
            cut(true);
            return;
        }
        noticed(inbox);
        atReplica = true;
    }

    void publishedToReplicas(String channel, Consumer<Inbox.Listener> message) {
        if (atReplica && address.equals(channel)) {
            ear.tell("something as a replica", message);
        }
    }

    /** The connection breaks. The client hears of that, or has to find out; so does the server. */
    void cut(boolean serverNotices) {
        Connection broken = connection;
        connection = null;
        atReplica = false;
        Inbox inbox = atNode;
        if (inbox != null) {
            if (serverNotices) {
                noticed(inbox);
            } else {
                simulation.after(NOTICED_LATE, () -> {
                    if (connection == null && atNode == inbox) {
                        noticed(inbox);
                    }
                });
            }
        }
        if (broken != null && link.profile().tellsOfEnd()) {
            link.client().at(simulation.now() + link.profile().delay(), this, broken::ended);
        }
    }

    private void noticed(Inbox inbox) {
        inbox.close();
        if (atNode == inbox) {
            atNode = null;
        }
    }

    /** One connection, from the client's side. */
    private final class Connection implements Inbox {

        private final Listener listener;
        private boolean over;

        Connection(Listener listener) {
            this.listener = listener;
        }

        void ended() {
            if (!over) {
                over = true;
                simulation.note(
                        link.client().name(),
                        "hears",
                        () -> "that its inbox at " + link.node().name() + " ended");
                listener.ended(new IllegalStateException("the connection broke"));
            }
        }

        @Override
        public String address() {
            return address;
        }

        @Override
        public CompletionStage<Boolean> probe() {
            Message<Boolean> probe = Message.of("probe", Message.On.ANY, store -> {
                Inbox inbox = atNode;
                if (inbox != null && openedAt == store) {
                    return inbox.probe();
                }
                heardAtReplica();
                return CompletableFuture.completedStage(false);
            });
            return link.ask(probe.atReplica(() -> CompletableFuture.completedStage(heardAtReplica())));
        }

        private boolean heardAtReplica() {
            if (atReplica) {
                ear.probed();
            }
            return atReplica;
        }

        @Override
        public void close() {
            over = true;
            if (connection == this) {
                connection = null;
                atReplica = false;
                Inbox inbox = atNode;
                if (inbox != null) {
                    simulation.after(link.profile().delay(), () -> {
                        if (connection == null && atNode == inbox) {
                            noticed(inbox);
                        }
                    });
                }
            }
        }
    }

    /** At the node's end. */
    private final class Ear implements Inbox.Listener {

        private void tell(String what, Consumer<Inbox.Listener> message) {
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
            tell("probed", Inbox.Listener::probed);
        }

        @Override
        public void ended(Throwable reason) {}
    }
}
