package io.keyhold.internal.engine;

import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
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
 * One client's channel in a {@link MemoryStore}, on a connection that fails as a test says. As with Redis, its address stays the
 * same when it is reopened, unless the server noticed the end of the old connection (a {@link MemoryStore} then gives a new one).
 */
public final class TroubledChannel {

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
    private @Nullable GrantSubscription atServer;
    private GrantSubscription.@Nullable Listener client;

    public TroubledChannel(MemoryStore server) {
        this.server = server;
    }

    public CompletionStage<Optional<GrantSubscription>> open(GrantSubscription.Listener listener) {
        opened++;
        Opening opening = openings.isEmpty() ? alwaysOpening : openings.poll();
        return switch (opening) {
            case WORKS -> CompletableFuture.completedStage(Optional.of(connect(listener)));
            case HELD_BACK -> {
                CompletableFuture<Optional<GrantSubscription>> reply = new CompletableFuture<>();
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
        GrantSubscription.Listener listener = client;
        client = null;
        if (listener != null) {
            listener.ended(new IllegalStateException("cut"));
        }
    }

    /** The connection breaks, and the server notices before the client does. */
    public void cutAtServer() {
        GrantSubscription known = atServer;
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

    private GrantSubscription connect(GrantSubscription.Listener listener) {
        client = listener;
        if (atServer == null) {
            atServer = server.openGrantChannel(new Wire())
                    .toCompletableFuture()
                    .join()
                    .orElseThrow();
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

    private final class Wire implements GrantSubscription.Listener {

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
            send(() -> Optional.ofNullable(client).ifPresent(GrantSubscription.Listener::probed));
        }

        @Override
        public void ended(Throwable reason) {}
    }

    private final class Connection implements GrantSubscription {

        private final GrantSubscription wire;
        private final Listener listener;

        Connection(GrantSubscription wire, Listener listener) {
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
