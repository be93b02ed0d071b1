package io.keyhold.internal.store.cluster;

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

    private final RedisAddress address;
    private final RedisDriver driver;
    private final ScriptStore store;
    private final ScriptStore asking;
    private final Runnable refresh;
    /** Whether a failover or another change of the cluster could explain what its calls met. */
    private volatile boolean doubtful;

    private volatile boolean closed;

    /** {@code refresh} looks whether slots have moved. */
    ClusterNode(RedisAddress address, RedisDriver driver, Runnable refresh, Function<RedisDriver, ScriptStore> stores) {
        this.refresh = refresh;
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

    @Override
    public CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener) {
        return store.openGrantChannel(listener);
    }

    @Override
    public void lookForMoves() {
        refresh.run();
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
