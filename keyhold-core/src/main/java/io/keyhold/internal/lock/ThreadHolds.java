package io.keyhold.internal.lock;

import io.keyhold.Lease;
import io.keyhold.internal.engine.lease.Subject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which thread holds what through {@link ThreadOwnedLock}, and how many times. An entry is its thread's alone. */
public final class ThreadHolds {

    private final Map<Holder, Hold> holds = new ConcurrentHashMap<>();

    private record Holder(List<Subject.Held> what, Thread thread) {}

    static final class Hold {
        final Lease lease;
        int count = 1;

        Hold(Lease lease) {
            this.lease = lease;
        }
    }

    @Nullable
    Hold ofThisThread(List<Subject.Held> what) {
        return holds.get(new Holder(what, Thread.currentThread()));
    }

    void begin(List<Subject.Held> what, Lease lease) {
        holds.put(new Holder(what, Thread.currentThread()), new Hold(lease));
    }

    void end(List<Subject.Held> what) {
        holds.remove(new Holder(what, Thread.currentThread()));
    }
}
