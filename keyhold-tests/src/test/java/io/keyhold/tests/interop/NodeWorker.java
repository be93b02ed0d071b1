package io.keyhold.tests.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** A Node.js process that locks with redis-exp-lock; {@code worker.js} describes the protocol. */
final class NodeWorker implements AutoCloseable {

    /** Longer than the retries of any test. */
    static final long FOR_EVER = 1_000_000_000;

    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);

    private final Process process;
    private final Path errors;
    private final PrintWriter orders;
    private final Deque<String> replies = new ArrayDeque<>();
    private boolean ended;

    private NodeWorker(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.orders = new PrintWriter(process.outputWriter(UTF_8), true);
    }

    /** Starts one for the server at this URI. */
    static NodeWorker start(Path script, String uri) throws IOException {
        Path errors = Files.createTempFile("keyhold-interop", ".log");
        Process process = new ProcessBuilder("node", script.toString(), uri)
                .redirectError(errors.toFile())
                .start();
        NodeWorker worker = new NodeWorker(process, errors);
        Thread reader = new Thread(worker::read, "node-worker");
        reader.setDaemon(true);
        reader.start();
        return worker;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            lines.lines().forEach(this::replied);
        } catch (IOException | UncheckedIOException e) {
            replied("cannot read the output of the worker: " + e);
        } finally {
            end();
        }
    }

    private synchronized void replied(String line) {
        replies.add(line);
        notifyAll();
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Requests the lock, with this many retries; the replies have this id. */
    void take(String id, String key, Duration lifetime, long retries) {
        orders.println("take " + id + " " + key + " " + lifetime.toMillis() + " " + retries);
    }

    /** Releases what was taken under this id. */
    void release(String id) {
        orders.println("release " + id);
    }

    /** Holds the lock again and again until the counter beside it has reached the goal. */
    void contend(String id, String key, int goal) {
        orders.println("contend " + id + " " + key + " " + goal);
    }

    /** Waits for the next reply with this id, and returns it without the id. */
    synchronized String reply(String id) throws InterruptedException, IOException {
        long deadline = System.nanoTime() + TIME_LIMIT.toNanos();
        while (true) {
            for (Iterator<String> each = replies.iterator(); each.hasNext(); ) {
                String line = each.next();
                if (line.startsWith(id + " ")) {
                    each.remove();
                    return line.substring(id.length() + 1);
                }
            }
            long millis = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            if (ended || millis <= 0) {
                throw new AssertionError("no reply to '" + id + "' from the worker, which "
                        + (ended ? "has ended: " : "said: ") + replies + "\n" + Files.readString(errors));
            }
            wait(millis);
        }
    }

    @Override
    public void close() throws IOException {
        orders.close();
        process.destroyForcibly();
        Files.deleteIfExists(errors);
    }
}
