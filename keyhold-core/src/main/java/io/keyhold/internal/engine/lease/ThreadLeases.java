package io.keyhold.internal.engine.lease;

import io.keyhold.AlreadyHeldException;
import io.keyhold.Lease;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which thread holds what, so that a thread that would wait for itself is refused.
 *
 * @param <L> what a lease is to this client
 */
final class ThreadLeases<L extends Lease> {

    private final Map<ThreadHold, L> leases = new ConcurrentHashMap<>();

    /** The methods are written out because the generated ones cost the first lock of a process 15 ms. */
    private record ThreadHold(Subject.Held what, Thread thread) {

        @Override
        public int hashCode() {
            return 31 * what.hashCode() + thread.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ThreadHold hold && hold.thread == thread && hold.what.equals(what);
        }
    }

    void add(Subject subject, Thread thread, L lease) {
        for (Subject.Held what : subject.heldAs()) {
            leases.put(new ThreadHold(what, thread), lease);
        }
    }

    void remove(Subject subject, Thread thread, L lease) {
        for (Subject.Held what : subject.heldAs()) {
            leases.remove(new ThreadHold(what, thread), lease);
        }
    }

    /** Returns the lease by which the current thread holds that, if it does. */
    Optional<L> ofThisThread(Subject.Held what) {
        return Optional.ofNullable(leases.get(new ThreadHold(what, Thread.currentThread())))
                .filter(Lease::isHeld);
    }

    /** Refuses a thread that would wait for itself. */
    void refuseDeadlock(Subject subject) {
        for (Subject.Obstacle obstacle : subject.obstacles()) {
            if (ofThisThread(obstacle.heldAs()).isPresent()) {
                throw new AlreadyHeldException(
                        "thread '" + Thread.currentThread().getName() + "' holds " + obstacle.reason());
            }
        }
    }
}
