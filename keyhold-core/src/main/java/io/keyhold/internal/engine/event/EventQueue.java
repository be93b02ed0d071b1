package io.keyhold.internal.engine.event;

import io.keyhold.KeyholdListener;
import io.keyhold.internal.time.CallbackQueue;
import io.keyhold.internal.time.Callbacks;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The events for one listener, which runs on the callback executor, one event at a time. Adding an event never waits for the listener: a
 * listener that blocks for ever costs one thread of the executor and a bounded queue.
 */
final class EventQueue {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final int MOST_PENDING = 100_000;

    private final KeyholdListener listener;
    private final CallbackQueue queue;
    private final AtomicBoolean hasThrown = new AtomicBoolean();
    private final AtomicBoolean hasDropped = new AtomicBoolean();

    EventQueue(KeyholdListener listener, Callbacks callbacks) {
        this.listener = listener;
        this.queue = new CallbackQueue(
                callbacks::tryRun, () -> dropped("the callback executor rejects events for a KeyholdListener"));
    }

    /** Tells the listener on this thread. */
    void tell(Consumer<KeyholdListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) { // Code in Kotlin and other languages also throws what it does not declare.
            Level level = hasThrown.compareAndSet(false, true) ? Level.WARNING : Level.DEBUG;
            LOG.log(level, "a KeyholdListener threw; further exceptions of it are logged at DEBUG", e);
        }
    }

    /** Adds an event, which {@link #deliver} brings to the listener. */
    void add(Consumer<KeyholdListener> event) {
        if (!queue.add(() -> tell(event), MOST_PENDING)) {
            dropped("events wait for a KeyholdListener that is too slow");
        }
    }

    /** Starts the delivery of what was added, unless it is running. Called without a monitor: an executor may run it here. */
    void deliver() {
        queue.start();
    }

    private void dropped(String reason) {
        if (hasDropped.compareAndSet(false, true)) {
            LOG.log(Level.WARNING, "{0}; events are dropped", reason);
        }
    }
}
