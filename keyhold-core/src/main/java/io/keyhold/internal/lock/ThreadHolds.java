package io.keyhold.internal.lock;

import io.keyhold.Lease;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which thread holds which key through {@link ThreadOwnedLock}, and how many times. An entry is its thread's alone. */
final class ThreadHolds {

    private final Map<Holder, Hold> holds = new ConcurrentHashMap<>();

    private record Holder(String key, Thread thread) {}

    static final class Hold {
        final Lease lease;
        int count = 1;

        Hold(Lease lease) {
            this.lease = lease;
        }
    }

    @Nullable
    Hold ofThisThread(String key) {
        return holds.get(new Holder(key, Thread.currentThread()));
    }

    void begin(String key, Lease lease) {
        holds.put(new Holder(key, Thread.currentThread()), new Hold(lease));
    }

    void end(String key) {
        holds.remove(new Holder(key, Thread.currentThread()));
    }
}
