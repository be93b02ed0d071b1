package io.keyhold.console;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The ticks of one connected page, written as server-sent events by the thread that serves the page. A browser that reads too slowly misses some. For
 * servers that give each request a thread.
 */
public final class ConsoleStream implements AutoCloseable {

    /** The content type of the response. */
    public static final String CONTENT_TYPE = "text/event-stream; charset=utf-8";

    /** The response to a page that cannot be connected. */
    public static final ConsoleResponse REFUSED =
            ConsoleResponse.error(503, "too many pages are connected; close one of them");

    private static final int WAITING_MESSAGES = 8;
    private static final long ALIVE_SECONDS = 5;
    private static final String BYE = "event: bye";

    private final BlockingQueue<String> messages;
    private final ConsoleSubscription subscription;

    private ConsoleStream(BlockingQueue<String> messages, ConsoleSubscription subscription) {
        this.messages = messages;
        this.subscription = subscription;
    }

    /**
     * Connects a page.
     *
     * @param api the console
     * @return the stream, or empty if too many pages are connected or the console is closed: then the page gets {@link #REFUSED}
     */
    public static Optional<ConsoleStream> open(ConsoleApi api) {
        BlockingQueue<String> messages = new ArrayBlockingQueue<>(WAITING_MESSAGES);
        return api.subscribe(message -> {
                    while (!messages.offer(message)) {
                        messages.poll();
                    }
                })
                .map(subscription -> new ConsoleStream(messages, subscription));
    }

    /**
     * Writes ticks until the console is closed.
     *
     * @param out the body of the response
     * @throws IOException if the browser is gone
     * @throws InterruptedException if the thread is interrupted, which ends the stream
     */
    public void writeTo(OutputStream out) throws IOException, InterruptedException {
        String message = "retry: 1000\n\n";
        while (message != null) {
            out.write(message.getBytes(StandardCharsets.UTF_8));
            out.flush();
            message = message.startsWith(BYE) ? null : next();
        }
    }

    private String next() throws InterruptedException {
        String message = messages.poll(ALIVE_SECONDS, TimeUnit.SECONDS);
        return message != null ? message : ": still here\n\n";
    }

    /** Disconnects the page. */
    @Override
    public void close() {
        subscription.close();
    }
}
