package io.keyhold.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The requests whose replies are to be lost. Each trap springs once, on the connection that comes first. */
final class ReplyTraps {
    private final List<ReplyTrap> armed = new ArrayList<>();

    synchronized CompletableFuture<Void> arm(String text) {
        if (text.isEmpty() || !StandardCharsets.US_ASCII.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("text \"" + text + "\": must be ASCII and not empty");
        }
        ReplyTrap trap = new ReplyTrap(text, new CompletableFuture<>());
        armed.add(trap);
        return trap.sprung();
    }

    /**
     * The trap for this request, which is then no longer armed.
     *
     * @param before what this connection has sent before: a text may be split between two packets
     */
    synchronized Optional<ReplyTrap> springFor(String before, String request) {
        armed.removeIf(trap -> trap.sprung().isDone());
        Optional<ReplyTrap> first =
                armed.stream().filter(trap -> trap.matches(before, request)).findFirst();
        first.ifPresent(armed::remove);
        return first;
    }

    void disarm() {
        List<ReplyTrap> disarmed;
        synchronized (this) {
            disarmed = List.copyOf(armed);
            armed.clear();
        }
        // Outside the lock: code that waits for them may call back.
        disarmed.forEach(trap -> trap.sprung().cancel(false));
    }
}
