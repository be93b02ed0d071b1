package io.keyhold.internal.engine.lease;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The thread that a lease belongs to, until it lets go of the lease. The guard keeps an interrupt for a loss from reaching a
 * thread that has released the lease and gone on to other work.
 */
final class Owner {

    private final ReentrantLock guard = new ReentrantLock();
    private @Nullable Thread thread;
    private boolean interrupted;

    Owner(@Nullable Thread thread) {
        this.thread = thread;
    }

    void interrupt() {
        guard.lock();
        try {
            Thread holder = thread;
            if (holder != null) {
                interrupted = true;
                holder.interrupt();
            }
        } finally {
            guard.unlock();
        }
    }

    /** Lets go: the thread is not interrupted from now on. Returns whether it was. */
    boolean leave() {
        guard.lock();
        try {
            thread = null;
            return interrupted;
        } finally {
            guard.unlock();
        }
    }
}
