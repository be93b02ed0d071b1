package io.keyhold.internal.store.cluster;

import io.keyhold.internal.store.ForwardingListener;
import io.keyhold.internal.store.GrantSource;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.redis.ScriptStore;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisDriver;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** One node of the cluster: its driver, and the store for the locks that it has. A node has one clock, and a grant channel of its own. */
final class ClusterNode implements GrantSource {

    /** Tells of slots that have moved. */
    interface Changes {

        /** Tells this listener when slots have moved, until the result is run. */
        Runnable watch(GrantSubscription.Listener listener);

        /** Looks whether slots have moved. */
        void refreshInBackground();
    }

    private final RedisAddress address;
    private final RedisDriver driver;
    private final ScriptStore store;
    private final ScriptStore asking;
    private final Changes changes;
    /** Whether a failover or another change of the cluster could explain what its calls met. */
    private volatile boolean doubtful;

    private volatile boolean closed;

    ClusterNode(Changes changes, RedisAddress address, RedisDriver driver, Function<RedisDriver, ScriptStore> stores) {
        this.changes = changes;
        this.address = address;
        this.driver = driver;
        this.store = stores.apply(driver);
        this.asking = stores.apply(new AskingDriver(driver));
    }

    RedisAddress address() {
        return address;
    }

    RedisDriver driver() {
        return driver;
    }

    ScriptStore store() {
        return store;
    }

    /** Returns the store for a key of a slot that is being moved to this node. */
    ScriptStore asking() {
        return asking;
    }

    boolean isDoubtful() {
        return doubtful;
    }

    void doubt() {
        doubtful = true;
    }

    void trust() {
        doubtful = false;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /** Closes its driver. Another object stands for the node if it returns. */
    void close() {
        closed = true;
        driver.close();
    }

    /** The channel may be in order while its keys have moved to another node, so a probe also looks at the cluster. */
    @Override
    public CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener) {
        Runnable watched = changes.watch(listener);
        return store.openGrantChannel(new Unwatching(listener, watched))
                .whenComplete((opened, failure) -> {
                    if (failure != null) {
                        watched.run();
                    }
                })
                .thenApply(opened -> opened.map(subscription -> new Watching(subscription, changes, watched)));
    }

    /** Ends the watch of the cluster with the channel. */
    private static final class Unwatching extends ForwardingListener {

        private final Runnable unwatch;

        Unwatching(GrantSubscription.Listener listener, Runnable unwatch) {
            super(listener);
            this.unwatch = unwatch;
        }

        @Override
        public void ended(Throwable reason) {
            unwatch.run();
            super.ended(reason);
        }
    }

    private record Watching(GrantSubscription subscription, Changes changes, Runnable unwatch)
            implements GrantSubscription {

        @Override
        public String address() {
            return subscription.address();
        }

        @Override
        public CompletionStage<Boolean> probe() {
            changes.refreshInBackground();
            return subscription.probe();
        }

        @Override
        public void close() {
            unwatch.run();
            subscription.close();
        }
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
