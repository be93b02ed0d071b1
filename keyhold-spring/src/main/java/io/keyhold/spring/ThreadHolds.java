package io.keyhold.spring;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The holds of each thread: of methods that run on it, and of its transactions. */
final class ThreadHolds {

    private static final ThreadLocal<List<Hold>> HOLDS = ThreadLocal.withInitial(ArrayList::new);

    private ThreadHolds() {}

    /** A time in which the thread has a hold. Closing it drops a user of the hold. */
    interface Scope extends AutoCloseable {
        @Override
        void close();
    }

    /** Adds the hold for one of its users. */
    static Scope enter(Hold hold) {
        HOLDS.get().add(hold);
        return () -> {
            leave(hold);
            hold.drop();
        };
    }

    /** Adds each of these holds for one of its users. */
    @SuppressWarnings("try")
    static Scope enter(List<Hold> holds) {
        Scope scope = () -> {};
        for (Hold hold : holds) {
            Scope before = scope;
            Scope own = enter(hold);
            scope = () -> {
                try (before) {
                    own.close();
                }
            };
        }
        return scope;
    }

    private static void leave(Hold hold) {
        List<Hold> holds = HOLDS.get();
        int last = holds.lastIndexOf(hold);
        if (last >= 0) {
            holds.remove(last);
            if (!holds.contains(hold)) {
                hold.leaveThread();
            }
        }
        if (holds.isEmpty()) {
            HOLDS.remove();
        }
    }

    /** The holds of this thread. */
    static List<Hold> newestFirst() {
        List<Hold> holds = HOLDS.get();
        // A transaction may complete on another thread, which cannot remove its hold here.
        holds.removeIf(Hold::isEnded);
        List<Hold> copy = new ArrayList<>(holds);
        Collections.reverse(copy);
        if (holds.isEmpty()) {
            HOLDS.remove();
        }
        return copy;
    }

    /** The keys of all holds, for messages. */
    static List<String> keys() {
        return newestFirst().stream().flatMap(hold -> hold.keys().stream()).toList();
    }
}
