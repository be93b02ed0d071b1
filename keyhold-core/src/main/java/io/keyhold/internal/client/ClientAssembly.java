package io.keyhold.internal.client;

import io.keyhold.CommandStyle;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdClock;
import io.keyhold.LockOptions;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Engine;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.QuorumNode;
import io.keyhold.internal.store.memory.MemoryStore;
import io.keyhold.internal.store.quorum.QuorumSettings;
import io.keyhold.internal.store.quorum.QuorumStore;
import io.keyhold.internal.store.redis.ScriptStore;
import io.keyhold.internal.store.redis.TransactionStore;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Puts the parts of a client together.
 *
 * @param clientName the name that the builder was given, if it was
 */
public record ClientAssembly(
        String keyPrefix,
        LockOptions defaults,
        KeyholdClock clock,
        @Nullable Executor callbackExecutor,
        @Nullable String clientName) {

    private static final String DEFAULT_CLIENT_NAME = "keyhold";

    /** On the server at this URI, with a driver from the class path. */
    public Keyhold onRedis(RedisUri uri, CommandStyle commands) {
        RedisDriver driver = DriverLookup.open(uri.withClientName(name(uri)));
        return client(store(driver, commands), name(uri));
    }

    /** Drivers from the class path for the servers at these URIs. */
    List<RedisDriver> openAll(List<RedisUri> uris) {
        return DriverLookup.openAll(
                uris.stream().map(uri -> uri.withClientName(name(uri))).toList());
    }

    private String name(RedisUri uri) {
        return Preconditions.clientName(
                Objects.requireNonNullElseGet(clientName, () -> uri.clientName().orElse(DEFAULT_CLIENT_NAME)));
    }

    /** On the server behind this driver. */
    public Keyhold onRedis(RedisDriver driver, CommandStyle commands) {
        return client(store(driver, commands), Objects.requireNonNullElse(clientName, DEFAULT_CLIENT_NAME));
    }

    /** Inside this JVM. */
    public Keyhold inMemory(MemoryStore store) {
        return client(store, Objects.requireNonNullElse(clientName, DEFAULT_CLIENT_NAME));
    }

    /** The name of a client of several servers: the builder's, else that of the URIs if they agree on one. */
    String nameOfAll(List<RedisUri> uris) {
        List<String> names = uris.stream().map(this::name).distinct().toList();
        return names.size() == 1 ? names.get(0) : Objects.requireNonNullElse(clientName, DEFAULT_CLIENT_NAME);
    }

    /** On several servers, of which the client closes those that it owns. */
    Keyhold onQuorum(
            List<? extends QuorumNode> nodes, List<? extends LockStore> owned, QuorumSettings settings, String name) {
        Scheduler scheduler = Engine.timer(name);
        LockStore store = new QuorumStore(nodes, owned, settings, clock, scheduler, Engine.chance());
        return new Client(Engine.threaded(store, clock, scheduler, callbackExecutor, name), keyPrefix, defaults);
    }

    ScriptStore scriptStore(RedisDriver driver) {
        return new ScriptStore(driver, UUID.randomUUID().toString());
    }

    private LockStore store(RedisDriver driver, CommandStyle commands) {
        return switch (commands) {
            case SCRIPTS -> scriptStore(driver);
            case TRANSACTIONS -> new TransactionStore(driver);
        };
    }

    private Keyhold client(LockStore store, String name) {
        return new Client(
                Engine.threaded(store, clock, Engine.timer(name), callbackExecutor, name), keyPrefix, defaults);
    }
}
