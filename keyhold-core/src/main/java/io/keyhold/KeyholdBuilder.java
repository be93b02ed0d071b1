package io.keyhold;

import io.keyhold.internal.Preconditions;
import io.keyhold.internal.client.ClientAssembly;
import io.keyhold.internal.client.QuorumPlace;
import io.keyhold.internal.lock.NamedOptions;
import io.keyhold.spi.Credentials;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a client. Exactly one of {@code uri}, {@code driver}, {@code cluster}, {@code inMemory} and {@code quorum} says where its locks live.
 *
 * <pre>{@code
 * Keyhold keyhold = Keyhold.builder()
 *         .uri("redis://localhost:6379")
 *         .clientName("billing")                   // what operators see as the holder
 *         .keyPrefix("prod:")
 *         .defaults(LockOptions.builder().maxWait(Duration.ofSeconds(10)).build())
 *         .build();
 * }</pre>
 */
public final class KeyholdBuilder {

    private static final Set<String> REPLICATED = Set.of("uri", "driver", "cluster");

    /** Where the locks live, by the setter that said so. Made into a client when all the settings are known. */
    private final Map<String, Function<ClientAssembly, Keyhold>> places = new LinkedHashMap<>();

    private @Nullable String clientName;
    private @Nullable Supplier<Credentials> credentials;
    private String keyPrefix = "";
    private LockOptions defaults = LockOptions.defaults();
    private final Map<String, UnaryOperator<LockOptions.Builder>> lockOverrides = new HashMap<>();
    private final Map<String, UnaryOperator<SemaphoreOptions.Builder>> semaphoreOverrides = new HashMap<>();
    private CommandStyle commands = CommandStyle.SCRIPTS;
    private Durability durability = Durability.none();
    private KeyholdClock clock = KeyholdClock.system();
    private @Nullable Executor callbackExecutor;
    private final List<KeyholdListener> listeners = new ArrayList<>();

    KeyholdBuilder() {}

    /**
     * Sets the server by its URI.
     *
     * @param uri such as {@code redis://localhost:6379}; see {@link RedisUri}
     * @return this builder
     */
    public KeyholdBuilder uri(String uri) {
        return uri(RedisUri.parse(uri));
    }

    /**
     * Sets the server by its URI.
     *
     * @param uri where the server is
     * @return this builder
     */
    public KeyholdBuilder uri(RedisUri uri) {
        Preconditions.given(uri, "uri");
        return place("uri", assembly -> assembly.onRedis(authenticated(uri), commands));
    }

    /**
     * Sets the server by its driver: one that wraps a client object of the application, or a driver of your own.
     * {@link Keyhold#close()} closes the driver, which leaves the application's client object open.
     *
     * @param driver carries commands to the server
     * @return this builder
     */
    public KeyholdBuilder driver(RedisDriver driver) {
        Preconditions.given(driver, "driver");
        return place("driver", assembly -> assembly.onRedis(driver, commands));
    }

    /**
     * Sets a Redis Cluster by what opens drivers for its nodes: one that wraps a cluster client of the application, or your own.
     * {@link Keyhold#close()} closes it, which leaves the application's client object open. By URI, see {@link #uri(String)}.
     *
     * @param cluster opens drivers for the nodes
     * @return this builder
     */
    public KeyholdBuilder cluster(RedisCluster cluster) {
        Preconditions.given(cluster, "cluster");
        return place("cluster", assembly -> assembly.onCluster(cluster, commands));
    }

    /**
     * Keeps the locks inside this JVM, where only this client sees them.
     *
     * @return this builder
     */
    public KeyholdBuilder inMemory() {
        return place(
                "inMemory()",
                assembly -> assembly.inMemory(InMemorySpace.create(clock).store()));
    }

    /**
     * Keeps the locks inside this JVM, shared with every client of the same space.
     *
     * @param space where the locks live
     * @return this builder
     */
    public KeyholdBuilder inMemory(InMemorySpace space) {
        Preconditions.given(space, "space");
        return place("inMemory", assembly -> assembly.inMemory(space.store()));
    }

    /**
     * Sets several independent servers by their URIs. A client that holds a majority of them holds the lock.
     *
     * @param uris each as for {@link #uri(String)}, none of them twice
     * @return this builder
     */
    public KeyholdBuilder quorum(String... uris) {
        return quorum(Arrays.asList(Preconditions.given(uris, "uris")));
    }

    /**
     * Sets several independent servers by their URIs. A client that holds a majority of them holds the lock.
     *
     * @param uris each as for {@link #uri(String)}, none of them twice
     * @return this builder
     */
    public KeyholdBuilder quorum(Collection<String> uris) {
        return quorum(uris, QuorumOptions.defaults());
    }

    /**
     * Sets several independent servers by their URIs. A client that holds a majority of them holds the lock.
     *
     * @param uris each as for {@link #uri(String)}, none of them twice
     * @param options the options of the quorum
     * @return this builder
     */
    public KeyholdBuilder quorum(Collection<String> uris, QuorumOptions options) {
        return quorum("quorum", QuorumPlace.ofUris(uris, this::authenticated), options);
    }

    /**
     * Sets several independent servers by their drivers, which {@link Keyhold#close()} closes.
     *
     * @param drivers one for each server, none of them twice, and none that follows a failover to another server
     * @return this builder
     */
    public KeyholdBuilder quorumOfDrivers(Collection<? extends RedisDriver> drivers) {
        return quorumOfDrivers(drivers, QuorumOptions.defaults());
    }

    /**
     * Sets several independent servers by their drivers, which {@link Keyhold#close()} closes.
     *
     * @param drivers one for each server, none of them twice, and none that follows a failover to another server
     * @param options the options of the quorum
     * @return this builder
     */
    public KeyholdBuilder quorumOfDrivers(Collection<? extends RedisDriver> drivers, QuorumOptions options) {
        return quorum("quorumOfDrivers", QuorumPlace.ofDrivers(drivers), options);
    }

    /**
     * Sets several independent servers by clients that exist already, each of one server or of one space in memory.
     * {@link Keyhold#close()} does not close them.
     *
     * @param clients one for each server, none of them twice, and none that follows a failover to another server
     * @return this builder
     */
    public KeyholdBuilder quorumOfClients(Collection<? extends Keyhold> clients) {
        return quorumOfClients(clients, QuorumOptions.defaults());
    }

    /**
     * Sets several independent servers by clients that exist already, each of one server or of one space in memory.
     * {@link Keyhold#close()} does not close them.
     *
     * @param clients one for each server, none of them twice, and none that follows a failover to another server
     * @param options the options of the quorum
     * @return this builder
     */
    public KeyholdBuilder quorumOfClients(Collection<? extends Keyhold> clients, QuorumOptions options) {
        return quorum("quorumOfClients", QuorumPlace.ofClients(clients), options);
    }

    private KeyholdBuilder quorum(String setter, QuorumPlace place, QuorumOptions options) {
        Preconditions.given(options, "options");
        return this.place(setter, assembly -> place.client(assembly, options, commands));
    }

    private KeyholdBuilder place(String setter, Function<ClientAssembly, Keyhold> client) {
        places.put(setter, client);
        return this;
    }

    /**
     * Sets what operators see as the holder, beside host and process: in tokens, and in the server's {@code CLIENT LIST}.
     * Default: the name in the URI, else {@code keyhold}.
     *
     * @param name 1 to 64 letters, digits and {@code . _ -}
     * @return this builder
     */
    public KeyholdBuilder clientName(String name) {
        this.clientName = Preconditions.clientName(name);
        return this;
    }

    /**
     * Sets credentials that change, such as the tokens of a cloud provider. Every new connection to a server asks for them; a
     * connection that is open stays so until the server closes it. For servers that are named by URIs without a password. Default: user
     * and password of the URI.
     *
     * <pre>{@code
     * builder.credentials(() -> new Credentials("app", tokens.current()))
     * }</pre>
     *
     * @param credentials returns what holds at the moment, and soon: a call waits for it. May be called by several threads at the same
     *     time. If it throws or returns null, the connection is not opened
     * @return this builder
     */
    public KeyholdBuilder credentials(Supplier<Credentials> credentials) {
        this.credentials = Preconditions.given(credentials, "credentials");
        return this;
    }

    private RedisUri authenticated(RedisUri uri) {
        return credentials == null ? uri : uri.withCredentials(credentials);
    }

    /**
     * Sets what stands before every key of this client. Default: nothing, so that the user's key is the Redis key.
     *
     * @param prefix at most 1,000 characters
     * @return this builder
     */
    public KeyholdBuilder keyPrefix(String prefix) {
        this.keyPrefix = Preconditions.keyPrefix(prefix);
        return this;
    }

    /**
     * Sets the options of everything that is asked for without options: locks and read/write locks take all of them, semaphores
     * those that locks and semaphores share ({@link HoldOptions}).
     *
     * @param options the default options
     * @return this builder
     */
    public KeyholdBuilder defaults(LockOptions options) {
        this.defaults = Preconditions.given(options, "options");
        return this;
    }

    /**
     * Overrides options of all locks and read/write locks that have this {@link HoldOptions#name}, whatever the program sets: for settings
     * that come from a configuration. The last call for a name counts. Default: none.
     *
     * <pre>{@code
     * builder.lockOverrides("nightly-report", options -> options.maxWait(Duration.ofMinutes(1)))
     * }</pre>
     *
     * @param name the name, as {@link HoldOptions.Builder#name} takes it
     * @param change sets the options that are overridden. Is called for each lock object
     * @return this builder
     */
    public KeyholdBuilder lockOverrides(String name, UnaryOperator<LockOptions.Builder> change) {
        lockOverrides.put(Preconditions.plain(name, "name", 64), Preconditions.given(change, "change"));
        return this;
    }

    /**
     * Overrides options of all semaphores that have this {@link HoldOptions#name}, as {@link #lockOverrides} does for locks.
     *
     * @param name the name, as {@link HoldOptions.Builder#name} takes it
     * @param change sets the options that are overridden. Is called for each semaphore object
     * @return this builder
     */
    public KeyholdBuilder semaphoreOverrides(String name, UnaryOperator<SemaphoreOptions.Builder> change) {
        semaphoreOverrides.put(Preconditions.plain(name, "name", 64), Preconditions.given(change, "change"));
        return this;
    }

    /**
     * Sets how operations are made atomic on the server. Default: by scripts.
     *
     * @param commands the style
     * @return this builder
     */
    public KeyholdBuilder commands(CommandStyle commands) {
        this.commands = Preconditions.given(commands, "commands");
        return this;
    }

    /**
     * Sets whether grants survive a failover. Needs scripts, and one server, a master with sentinels or a cluster; all clients of a server
     * must have the same. Default: {@link Durability#none()}.
     *
     * @param durability for example {@code Durability.replicas(1)}
     * @return this builder
     */
    public KeyholdBuilder durability(Durability durability) {
        this.durability = Preconditions.given(durability, "durability");
        return this;
    }

    /**
     * Sets where the client reads time. Default: the JVM's clocks.
     *
     * @param clock for example one that a test moves
     * @return this builder
     */
    public KeyholdBuilder clock(KeyholdClock clock) {
        this.clock = Preconditions.given(clock, "clock");
        return this;
    }

    /**
     * Sets the executor for the application's code that follows on futures and losses, and for listeners. It must run a task or throw: Keyhold
     * runs what is rejected on the thread that finds it, which may be the application's or its own timer (events for a listener are dropped), but a future whose task is discarded in silence never
     * completes. An executor whose threads are all blocked delays these, reports of losses too. Default: threads of this client's own, started when they are needed
     * and one more whenever all are blocked; reports of losses come first.
     *
     * @param executor runs the application's code
     * @return this builder
     */
    public KeyholdBuilder callbackExecutor(Executor executor) {
        this.callbackExecutor = Preconditions.given(executor, "executor");
        return this;
    }

    /**
     * Adds a listener that is told of every request, grant and end of a hold, and of renewals. May be called several times: each
     * listener is told of everything, and one that is slow or throws does not affect the others. Default: none.
     *
     * @param listener for example one that counts
     * @return this builder
     */
    public KeyholdBuilder listener(KeyholdListener listener) {
        listeners.add(Preconditions.given(listener, "listener"));
        return this;
    }

    /**
     * Builds the client. Opens no connection yet.
     *
     * @return the client
     * @throws IllegalStateException if it was not set where the locks live, or set in two ways, if there are credentials but no URI,
     *     if no driver is on the class path, or if durability is set for what has none
     * @throws IllegalArgumentException if the acknowledge timeout of the durability is not shorter than the command timeout
     */
    public Keyhold build() {
        if (places.size() != 1) {
            throw new IllegalStateException(
                    "a client must have exactly one of uri, driver, cluster, inMemory and quorum, had "
                            + (places.isEmpty() ? "none" : String.join(", ", places.keySet())));
        }
        checkDurability(places.keySet().iterator().next());
        if (credentials != null && !places.containsKey("uri") && !places.containsKey("quorum")) {
            throw new IllegalStateException("credentials are for servers that are named by URIs, and this client has "
                    + String.join(", ", places.keySet()));
        }
        return places.values()
                .iterator()
                .next()
                .apply(new ClientAssembly(
                        keyPrefix,
                        defaults,
                        new NamedOptions(lockOverrides, semaphoreOverrides),
                        durability,
                        clock,
                        callbackExecutor,
                        clientName,
                        listeners));
    }

    private void checkDurability(String place) {
        if (durability.replicas() == 0) {
            return;
        }
        if (!REPLICATED.contains(place)) {
            throw new IllegalStateException(
                    "durability by replicas needs servers with replicas, set by uri, driver or cluster, had " + place);
        }
        if (commands != CommandStyle.SCRIPTS) {
            throw new IllegalStateException("commands must be SCRIPTS for durability by replicas, was " + commands);
        }
    }
}
