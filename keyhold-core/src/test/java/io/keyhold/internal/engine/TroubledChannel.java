package io.keyhold.internal.engine;

import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.Inbox;
import io.keyhold.internal.store.memory.MemoryStore;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisErrorException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One client's inbox in a {@link MemoryStore}, on a connection that fails as a test says. As with Redis, its address stays the
 * same when it is reopened, unless the server noticed the end of the old connection (a {@link MemoryStore} then gives a new one).
 */
public final class TroubledInbox {

    public enum Opening {
        WORKS,
        /** The server says no. */
        REFUSED,
        /** The server says no for now. */
        BUSY,
        /** The server cannot be reached. */
        FAILS,
        /** There is no such thing in this store. */
        NOT_OFFERED,
        /** Works, but the reply stays in flight until {@link #deliver()}. */
        HELD_BACK
    }

    public enum Messages {
        ARRIVE,
        /** Stay in flight until {@link #deliver()}. */
        HELD_BACK,
        LOST
    }

    public final Deque<Opening> openings = new ArrayDeque<>();
    public Opening alwaysOpening = Opening.WORKS;
    public Messages messages = Messages.ARRIVE;
    /** Another thread, simulated by the test: what it does just after the address of the channel was read. */
    public Runnable atAddress = () -> {};
    /** How often it was asked for. */
    public int opened;

    private final MemoryStore server;
    private final Deque<Runnable> heldBack = new ArrayDeque<>();
    private @Nullable Inbox atServer;
    private Inbox.@Nullable Listener client;

    public TroubledInbox(MemoryStore server) {
        this.server = server;
    }

    public CompletionStage<Optional<Inbox>> open(Inbox.Listener listener) {
        opened++;
        Opening opening = openings.isEmpty() ? alwaysOpening : openings.poll();
        return switch (opening) {
            case WORKS -> CompletableFuture.completedStage(Optional.of(connect(listener)));
            case HELD_BACK -> {
                CompletableFuture<Optional<Inbox>> reply = new CompletableFuture<>();
                heldBack.add(() -> reply.complete(Optional.of(connect(listener))));
                yield reply;
            }
            case NOT_OFFERED -> CompletableFuture.completedStage(Optional.empty());
            case REFUSED -> failed(new RedisErrorException("NOPERM no permission to access a channel"));
            case BUSY -> failed(new RedisErrorException("BUSY Redis is busy running a script."));
            case FAILS -> failed(new RedisConnectionException(Failure.NOT_CONNECTED, "refused", null));
        };
    }

    /** The connection breaks, and the server does not notice: it keeps sending into the void. */
    public void cut() {
        Inbox.Listener listener = client;
        client = null;
        if (listener != null) {
            listener.ended(new IllegalStateException("cut"));
        }
    }

    /** The connection breaks, and the server notices before the client does. */
    public void cutAtServer() {
        Inbox known = atServer;
        atServer = null;
        if (known != null) {
            known.close();
        }
        cut();
    }

    public boolean isConnected() {
        return client != null;
    }

    public void deliver() {
        while (!heldBack.isEmpty()) {
            heldBack.poll().run();
        }
    }

    private Inbox connect(Inbox.Listener listener) {
        client = listener;
        if (atServer == null) {
            atServer = server.openInbox(new Wire()).toCompletableFuture().join().orElseThrow();
        }
        return new Connection(atServer, listener);
    }

    private static <T> CompletionStage<T> failed(RuntimeException cause) {
        return CompletableFuture.failedStage(
                cause instanceof RedisErrorException error
                        ? new StoreRefusedException("troubled", error.code(), error)
                        : new StoreUnavailableException("troubled", false, cause));
    }

    private void send(Runnable message) {
        switch (messages) {
            case ARRIVE -> message.run();
            case HELD_BACK -> heldBack.add(message);
            case LOST -> {}
        }
    }

    private final class Wire implements Inbox.Listener {

        @Override
        public void granted(GrantNotice notice) {
            send(() -> Optional.ofNullable(client).ifPresent(listener -> listener.granted(notice)));
        }

        @Override
        public void freed(long number) {
            send(() -> Optional.ofNullable(client).ifPresent(listener -> listener.freed(number)));
        }

        @Override
        public void probed() {
            send(() -> Optional.ofNullable(client).ifPresent(Inbox.Listener::probed));
        }

        @Override
        public void ended(Throwable reason) {}
    }

    private final class Connection implements Inbox {

        private final Inbox wire;
        private final Listener listener;

        Connection(Inbox wire, Listener listener) {
            this.wire = wire;
            this.listener = listener;
        }

        @Override
        public String address() {
            String address = wire.address();
            atAddress.run();
            return address;
        }

        @Override
        public CompletionStage<Boolean> probe() {
            return wire.probe();
        }

        @Override
        public void close() {
            if (client == listener) {
                cutAtServer();
            }
        }
    }
}
