package io.keyhold.internal.engine;

import io.keyhold.internal.Failed;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.Inbox;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The client's one inbox: opened when somebody has to wait for the first time, kept from then on, and opened anew when it breaks
 * while somebody waits. While somebody waits it is also probed: a connection can be dead for minutes without either side being
 * told.
 */
final class InboxLine {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Engine engine;
    private final Reader reader;
    private final AtomicReference<@Nullable Opening> current = new AtomicReference<>();
    private final AtomicBoolean probing = new AtomicBoolean();

    InboxLine(Engine engine, Reader reader) {
        this.engine = engine;
        this.reader = reader;
    }

    /** Who gets what arrives. */
    interface Reader {

        boolean isAnybodyWaiting();

        void granted(GrantNotice notice);

        void freed(long number);

        /** It had broken, and works again: what was sent meanwhile is lost. */
        void reopened();

        void notReopened(RuntimeException failure);
    }

    /** Answers whether there is an inbox; if not, this store has to be polled. Fails if the store cannot be reached. */
    CompletableFuture<Boolean> open() {
        while (true) {
            Opening known = current.get();
            if (known != null) {
                return known.isOpen();
            }
            Opening opening = new Opening();
            if (current.compareAndSet(null, opening)) {
                opening.start();
                return opening.isOpen();
            }
        }
    }

    /** Where it is, if it is open. */
    Optional<String> address() {
        Opening known = current.get();
        return known == null ? Optional.empty() : known.inbox().map(Inbox::address);
    }

    /** Not if it has moved, or is not to be had any more; it may while it is being opened anew, often in the same place. */
    boolean mayReach(String address) {
        Opening known = current.get();
        return known == null
                || !known.isDecided()
                || known.inbox().map(Inbox::address).filter(address::equals).isPresent();
    }

    /** Somebody waits from now on. */
    void watch() {
        if (probing.compareAndSet(false, true)) {
            engine.scheduler().schedule(PROBE_NANOS, this::probe);
        }
    }

    private void probe() {
        Opening known = current.get();
        if (known != null && reader.isAnybodyWaiting()) {
            known.probe();
        }
        if (reader.isAnybodyWaiting()) {
            engine.scheduler().schedule(PROBE_NANOS, this::probe);
        } else {
            probing.set(false);
            if (reader.isAnybodyWaiting()) {
                watch(); // It came between the look and the line above, and found the probing still on.
            }
        }
    }

    void close() {
        Opening known = current.getAndSet(null);
        if (known != null) {
            known.inbox().ifPresent(Inbox::close);
        }
    }

    private void reopen() {
        open().whenComplete((open, failure) -> {
            if (failure == null) {
                reader.reopened();
            } else {
                reader.notReopened(Rethrow.here(failure));
            }
        });
    }

    /** One inbox of the store, from the attempt to open it to its end. */
    private final class Opening implements Inbox.Listener {

        private final CompletableFuture<Optional<Inbox>> inbox = new CompletableFuture<>();
        private volatile boolean unansweredProbe;

        void start() {
            engine.store().openInbox(this).whenComplete((opened, failure) -> {
                if (failure == null) {
                    inbox.complete(opened);
                    if (current.get() != this) {
                        opened.ifPresent(Inbox::close); // The client was closed meanwhile.
                    }
                    return;
                }
                Throwable cause = Failed.unwrapped(failure);
                if (StoreFailure.isRefusal(cause)) {
                    LOG.log(
                            Level.WARNING,
                            "the server does not allow this client to listen, so it polls for locks until it is built"
                                    + " anew; the ACL rule that it needs is in docs/keys.md ({0})",
                            cause.getMessage());
                    inbox.complete(Optional.empty());
                } else {
                    current.compareAndSet(this, null);
                    inbox.completeExceptionally(cause);
                }
            });
        }

        CompletableFuture<Boolean> isOpen() {
            return inbox.thenApply(Optional::isPresent);
        }

        boolean isDecided() {
            return inbox.isDone() && !inbox.isCompletedExceptionally();
        }

        Optional<Inbox> inbox() {
            return isDecided() ? inbox.join() : Optional.empty();
        }

        /** One that did not arrive since the last time means that nothing does. */
        void probe() {
            inbox().ifPresent(open -> {
                if (unansweredProbe) {
                    LOG.log(Level.INFO, "the inbox is silent; opening it anew");
                    open.close();
                    ended(new IllegalStateException("a probe did not arrive"));
                    return;
                }
                unansweredProbe = true;
                open.probe().whenComplete((heard, failure) -> {
                    if (heard != null && !heard) {
                        open.close();
                        ended(new IllegalStateException("the store knows nothing of this inbox"));
                    }
                });
            });
        }

        @Override
        public void granted(GrantNotice notice) {
            reader.granted(notice);
        }

        @Override
        public void freed(long number) {
            reader.freed(number);
        }

        @Override
        public void probed() {
            unansweredProbe = false;
        }

        @Override
        public void ended(Throwable reason) {
            if (current.compareAndSet(this, null)) {
                LOG.log(Level.DEBUG, () -> "the inbox ended: " + reason.getMessage());
                engine.storeTime().forget();
                if (reader.isAnybodyWaiting() && !engine.isClosed()) {
                    reopen();
                }
            }
        }
    }
}
