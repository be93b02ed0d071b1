package io.keyhold.spi;

import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The subscription of any driver: a driver reports what happens on the connection, and this class what that means to the caller and to the
 * listener. For driver authors.
 *
 * <p>It is confirmed or not, and then it has ended. An end before the confirmation fails the caller's stage, one after it is the listener's
 * {@code onClosed}: the state decides which, so that it is one of them, once. The first reason for the end counts: closing the
 * connection, for whatever reason, makes the thread that reads from it report another.
 */
public abstract class DriverSubscription implements RedisSubscription {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final RedisListener listener;
    private final CompletableFuture<RedisSubscription> confirmation = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.UNCONFIRMED);
    private final AtomicReference<@Nullable Throwable> reason = new AtomicReference<>();

    private enum State {
        UNCONFIRMED,
        CONFIRMED,
        ENDED
    }

    /** Creates a subscription that is not confirmed. What the listener throws is logged, and does not harm the thread that reads. */
    protected DriverSubscription(RedisListener listener) {
        this.listener = listener;
    }

    /** {@return completes when the server has confirmed the subscription, or with the reason for its end} */
    public final CompletionStage<RedisSubscription> confirmation() {
        return confirmation;
    }

    /** {@return where the server is, for messages} */
    protected abstract String address();

    /** Closes the connection, if it is open, from any thread and without waiting. The driver reports the {@link #end}. */
    protected abstract void closeConnection();

    /** Reports that the server has confirmed it. Messages are reported after this call has begun. */
    protected final void confirm() {
        boolean wanted = !isClosing() && state.compareAndSet(State.UNCONFIRMED, State.CONFIRMED);
        if (!wanted
                || !confirmation.complete(this)) { // The caller may have completed the stage, and will not close this.
            close();
        }
    }

    /** Reports a message. It is dropped unless the subscription is confirmed: the confirmation may have come too late. */
    protected final void message(String text) {
        if (state.get() == State.CONFIRMED) {
            guarded(() -> listener.onMessage(text));
        }
    }

    /** Says why the connection is going to end, unless another reason is known. */
    protected final void because(Throwable failure) {
        reason.compareAndSet(null, failure);
    }

    /** Reports that it has failed, or that its connection has ended; for the first reason that is known, or for this one. */
    protected final void end(Throwable failure) {
        because(failure);
        Throwable first = Objects.requireNonNull(reason.get());
        switch (state.getAndSet(State.ENDED)) {
            case UNCONFIRMED -> confirmation.completeExceptionally(first);
            case CONFIRMED -> guarded(() -> listener.onClosed(first));
            case ENDED -> {}
        }
    }

    /** {@return whether there is a reason to close the connection; asked when it was opened, because {@link #close} may have missed it} */
    protected final boolean isClosing() {
        return reason.get() != null;
    }

    /** Closes it for this reason, from any thread and without waiting. */
    public final void close(Throwable why) {
        because(why);
        closeConnection();
    }

    @Override
    public final void close() {
        close(DriverFailures.unsubscribed(address()));
    }

    private static void guarded(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "a subscription's listener failed; it will get what comes next nevertheless", e);
        }
    }
}
