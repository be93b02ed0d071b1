package io.keyhold.internal.simulation;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.Inbox;
import io.keyhold.internal.store.NodeStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection by which messages of one node reach one client. As with Redis, the address stays the same when it is opened
 * anew, unless the server has noticed the end of the old connection.
 */
final class Subscription {

    private static final long NOTICED_LATE = 20 * Weather.SECOND;

    private final Link link;
    private final Simulation world;
    private @Nullable Inbox atNode;
    private @Nullable NodeStore openedAt;
    private @Nullable Connection connection;
    private long lastArrival;

    Subscription(Link link) {
        this.link = link;
        this.world = link.world();
    }

    boolean isAt(String address) {
        Inbox inbox = atNode;
        return inbox != null && inbox.address().equals(address);
    }

    CompletionStage<Optional<Inbox>> open(Inbox.Listener listener) {
        Connection opening = new Connection(listener);
        return link.ask("subscribe", store -> {
            if (atNode == null || openedAt != store) {
                atNode = store.openInbox(new Ear()).toCompletableFuture().join().orElseThrow();
                openedAt = store;
            }
            opening.address = atNode.address();
            connection = opening;
            return CompletableFuture.completedStage(Optional.<Inbox>of(opening));
        });
    }

    /** The connection breaks. The client hears of that, or has to find out; so does the server. */
    void cut(boolean serverNotices) {
        Connection broken = connection;
        connection = null;
        Inbox inbox = atNode;
        if (inbox != null) {
            if (serverNotices) {
                noticed(inbox);
            } else {
                world.after(NOTICED_LATE, () -> {
                    if (connection == null && atNode == inbox) {
                        noticed(inbox);
                    }
                });
            }
        }
        if (broken != null && world.chance(0.8)) {
            link.client().at(world.now() + link.weather().delay(), this, broken::ended);
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
        private String address = "";
        private boolean over;

        Connection(Listener listener) {
            this.listener = listener;
        }

        void ended() {
            if (!over) {
                over = true;
                world.note(
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
            return link.ask("probe", store -> {
                Inbox inbox = atNode;
                return inbox == null || openedAt != store ? CompletableFuture.completedStage(false) : inbox.probe();
            });
        }

        @Override
        public void close() {
            over = true;
            if (connection == this) {
                connection = null;
                Inbox inbox = atNode;
                if (inbox != null) {
                    world.after(link.weather().delay(), () -> {
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
            if (known == null || link.weather().losesMessage()) {
                return;
            }
            lastArrival = Math.max(
                    lastArrival, link.notStalled(world.now() + link.weather().delay()));
            link.client().at(lastArrival, Subscription.this, () -> {
                if (connection == known && !known.over) {
                    world.note(
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
