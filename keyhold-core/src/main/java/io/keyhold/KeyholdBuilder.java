package io.keyhold;

import io.keyhold.internal.Preconditions;
import io.keyhold.internal.client.ClientAssembly;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a client. Exactly one of {@code uri}, {@code driver}, {@code inMemory} and {@code quorum} says where its locks
 * live.
 */
public final class KeyholdBuilder {

    private @Nullable RedisUri uri;
    private @Nullable RedisDriver driver;
    private @Nullable InMemorySpace space;
    private boolean privateSpace;
    private final QuorumBuilder quorum = new QuorumBuilder();
    private @Nullable String clientName;
    private String keyPrefix = "";
    private LockOptions defaults = LockOptions.defaults();
    private CommandStyle commands = CommandStyle.SCRIPTS;
    private KeyholdClock clock = KeyholdClock.system();
    private @Nullable Executor callbackExecutor;

    KeyholdBuilder() {}

    /** The server at this URI; see {@link RedisUri}. */
    public KeyholdBuilder uri(String uri) {
        return uri(RedisUri.parse(uri));
    }

    /** The server at this URI. */
    public KeyholdBuilder uri(RedisUri uri) {
        this.uri = Preconditions.given(uri, "uri");
        return this;
    }

    /**
     * The server behind this driver: one that wraps a client object which the application has already, or a driver of
     * your own. {@link Keyhold#close()} closes the driver, which leaves the application's client object open.
     */
    public KeyholdBuilder driver(RedisDriver driver) {
        this.driver = Preconditions.given(driver, "driver");
        return this;
    }

    /** Locks inside this JVM that only this client sees. */
    public KeyholdBuilder inMemory() {
        this.privateSpace = true;
        return this;
    }

    /** Locks inside this JVM, shared with every client of the same space. */
    public KeyholdBuilder inMemory(InMemorySpace space) {
        this.space = Preconditions.given(space, "space");
        return this;
    }

    /**
     * Several independent servers, whose locks are held by whoever holds a majority of them. Each URI is as for
     * {@link #uri(String)}, and none may be there twice.
     */
    public KeyholdBuilder quorum(String... uris) {
        quorum.uris(Preconditions.given(uris, "uris"));
        return this;
    }

    /** The same with drivers; {@link Keyhold#close()} closes them. */
    public KeyholdBuilder quorum(RedisDriver... drivers) {
        quorum.drivers(Preconditions.given(drivers, "drivers"));
        return this;
    }

    /** The same with clients that exist already, each of one server or of one space in memory; they are not closed. */
    public KeyholdBuilder quorum(Keyhold... clients) {
        quorum.clients(Preconditions.given(clients, "clients"));
        return this;
    }

    /**
     * Of a quorum: lets nodes vote at once that know of no time before, when this client first meets them, within
     * {@link #longestLease} of its first lock. Only for nodes that are known to be new: one that has lost its memory looks the same,
     * and must wait until every lease is over that it may have granted. Default: they wait for {@link #longestLease}.
     */
    public KeyholdBuilder admitFreshNodes(boolean admit) {
        quorum.admitFreshNodes(admit);
        return this;
    }

    /** Of a quorum: how long a node is waited for, from 1 ms to 10 s. Default: a tenth of the lease, at most 50 ms. */
    public KeyholdBuilder nodeTimeout(Duration timeout) {
        quorum.nodeTimeout(Preconditions.nodeTimeout(timeout));
        return this;
    }

    /**
     * Of a quorum: no lease may be longer, from 1 s to 31 days. So long does a node stay out of votes that was started anew. All
     * clients of the quorum must say the same. Default: 1 minute.
     */
    public KeyholdBuilder longestLease(Duration longest) {
        quorum.longestLease(Preconditions.longestLease(longest));
        return this;
    }

    /**
     * What operators see as the holder, beside host and process: in tokens, and in the server's {@code CLIENT LIST}.
     * 1 to 64 letters, digits and {@code . _ -}. Default: the name in the URI, else {@code keyhold}.
     */
    public KeyholdBuilder clientName(String name) {
        this.clientName = Preconditions.clientName(name);
        return this;
    }

    /** Stands before every key of this client. Default: nothing, so that the user's key is the Redis key. */
    public KeyholdBuilder keyPrefix(String prefix) {
        this.keyPrefix = Preconditions.keyPrefix(prefix);
        return this;
    }

    /** The options of locks that are asked for without any. */
    public KeyholdBuilder defaults(LockOptions options) {
        this.defaults = Preconditions.given(options, "options");
        return this;
    }

    /** How commands are made atomic on the server. Default: by scripts. */
    public KeyholdBuilder commands(CommandStyle commands) {
        this.commands = Preconditions.given(commands, "commands");
        return this;
    }

    /** Where the client reads time: a test may pass its own. */
    public KeyholdBuilder clock(KeyholdClock clock) {
        this.clock = Preconditions.given(clock, "clock");
        return this;
    }

    /**
     * Sets the executor for the application's code that follows on futures and losses. An executor whose threads are all
     * blocked delays these, reports of losses too. Default: threads of this client's own, started when they are needed
     * and one more whenever all are blocked; reports of losses come first.
     */
    public KeyholdBuilder callbackExecutor(Executor executor) {
        this.callbackExecutor = Preconditions.given(executor, "executor");
        return this;
    }

    /**
     * The client. Nothing is connected yet.
     *
     * @throws IllegalStateException if it is not said where the locks live, or said twice, or if no driver is there
     */
    public Keyhold build() {
        int places = (uri != null ? 1 : 0)
                + (driver != null ? 1 : 0)
                + (space != null ? 1 : 0)
                + (privateSpace ? 1 : 0)
                + quorum.places();
        if (places != 1) {
            throw new IllegalStateException(
                    "a client needs exactly one of uri, driver, inMemory and quorum, and got " + places);
        }
        if (quorum.isSet() && quorum.places() == 0) {
            throw new IllegalStateException(
                    "nodeTimeout, longestLease and admitFreshNodes are for a quorum, and this client has one server");
        }
        ClientAssembly assembly = new ClientAssembly(keyPrefix, defaults, clock, callbackExecutor, clientName);
        if (uri != null) {
            return assembly.onRedis(uri, commands);
        }
        if (quorum.places() == 1) {
            return quorum.build(assembly, commands);
        }
        if (driver != null) {
            return assembly.onRedis(driver, commands);
        }
        return assembly.inMemory((space != null ? space : InMemorySpace.create(clock)).store());
    }
}
