package io.keyhold.internal.engine.event;

import io.keyhold.KeyholdListener;
import io.keyhold.internal.time.Callbacks;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events for one listener, which runs on the callback executor, one event at a time. Adding an event never waits for the listener: a
 * listener that blocks for ever costs one thread of the executor and a bounded queue.
 */
final class EventQueue {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final int MOST_PENDING = 100_000;
    /** Then other callbacks get their turn on the thread. */
    private static final int MOST_IN_A_ROW = 64;

    private final KeyholdListener listener;
    private final Callbacks callbacks;
    private final Queue<Consumer<KeyholdListener>> pending = new ArrayDeque<>();
    private final AtomicBoolean hasThrown = new AtomicBoolean();
    private final AtomicBoolean hasDropped = new AtomicBoolean();
    private boolean running;

    EventQueue(KeyholdListener listener, Callbacks callbacks) {
        this.listener = listener;
        this.callbacks = callbacks;
    }

    /** Tells the listener on this thread. */
    void tell(Consumer<KeyholdListener> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException | Error e) {
            Level level = hasThrown.compareAndSet(false, true) ? Level.WARNING : Level.DEBUG;
            LOG.log(level, "a KeyholdListener threw; further exceptions of it are logged at DEBUG", e);
        }
    }

    /** Adds an event, which {@link #deliver} brings to the listener. */
    void add(Consumer<KeyholdListener> event) {
        boolean full;
        synchronized (this) {
            full = pending.size() >= MOST_PENDING;
            if (!full) {
                pending.add(event);
            }
        }
        if (full) {
            dropped("events wait for a KeyholdListener that is too slow");
        }
    }

    /** Starts the delivery of what was added, unless it is running. Called without a monitor: an executor may run it here. */
    void deliver() {
        synchronized (this) {
            if (running || pending.isEmpty()) {
                return;
            }
            running = true;
        }
        submit();
    }

    private void submit() {
        if (!callbacks.tryRun(this::tellSome)) {
            synchronized (this) {
                pending.clear();
                running = false;
            }
            dropped("the callback executor rejects events for a KeyholdListener");
        }
    }

    private void tellSome() {
        for (int i = 0; i < MOST_IN_A_ROW; i++) {
            Consumer<KeyholdListener> event = next();
            if (event == null) {
                return;
            }
            tell(event);
        }
        submit();
    }

    private synchronized @Nullable Consumer<KeyholdListener> next() {
        Consumer<KeyholdListener> event = pending.poll();
        running = event != null;
        return event;
    }

    private void dropped(String reason) {
        if (hasDropped.compareAndSet(false, true)) {
            LOG.log(Level.WARNING, "{0}; events are dropped", reason);
        }
    }
}
