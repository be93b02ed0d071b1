package io.keyhold.testkit.driver;

import io.keyhold.spi.RedisListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A listener that keeps what it hears. */
final class Heard implements RedisListener {

    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Throwable> end = new CompletableFuture<>();
    private final AtomicInteger ends = new AtomicInteger();

    @Override
    public void onMessage(String text) {
        messages.add(text);
    }

    @Override
    public void onClosed(Throwable reason) {
        ends.incrementAndGet();
        end.complete(reason);
    }

    /** Waits for the next message. */
    String next() {
        try {
            String text = messages.poll(Outcomes.LIMIT_SECONDS, TimeUnit.SECONDS);
            if (text == null) {
                throw new AssertionError("nothing heard for " + Outcomes.LIMIT_SECONDS + " s");
            }
            return text;
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Waits for this many messages. */
    List<String> next(int count) {
        List<String> texts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            texts.add(next());
        }
        return texts;
    }

    /** Returns the messages that were not taken yet, without waiting. */
    List<String> rest() {
        return List.copyOf(messages);
    }

    /** Waits for the end, and says why. */
    Throwable end() {
        return Outcomes.reply(end);
    }

    /** How often it has ended. */
    int ends() {
        return ends.get();
    }
}
