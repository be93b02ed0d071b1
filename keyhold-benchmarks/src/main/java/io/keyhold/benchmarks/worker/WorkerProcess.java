package io.keyhold.benchmarks.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A JVM that runs {@link WorkerMain}. */
public final class WorkerProcess implements AutoCloseable {

    /** The same for all: a small heap, which 100,000 leases fit into, and the garbage collector with the least threads. */
    public static final String JVM_OPTIONS = "-Xms64m -Xmx384m -XX:+UseSerialGC";

    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final String ENDED = "ended";

    private final Process process;
    private final PrintWriter commands;
    private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();

    private WorkerProcess(Process process) {
        this.process = process;
        this.commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread reader = new Thread(this::read, "worker-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a JVM with the class path of this one, which appends its standard error to the log. */
    public static WorkerProcess start(Path log) {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.command().addAll(List.of(JVM_OPTIONS.split(" ", -1)));
        builder.command().addAll(List.of("-cp", System.getProperty("java.class.path"), WorkerMain.class.getName()));
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            return new WorkerProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a JVM: " + e.getMessage(), e);
        }
    }

    /** Sends a command without waiting for its reply. */
    public void send(String command) {
        commands.println(command);
    }

    /** Waits for a reply that starts with this word, and returns the whole line. */
    public String await(String word) throws InterruptedException {
        String reply = replies.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        if (reply == null) {
            throw new IllegalStateException("no reply \"" + word + "\" within " + TIMEOUT.toSeconds() + " s");
        }
        if (!reply.equals(word) && !reply.startsWith(word + " ")) {
            throw new IllegalStateException(
                    reply.equals(ENDED) ? "the worker JVM has ended; worker.log may say why" : reply);
        }
        return reply;
    }

    /** Starts a loop. */
    public void loop(LoopPlan plan, String key) throws InterruptedException {
        send("loop " + plan.encode(key));
        await("looping");
    }

    /** Waits for the result of the loop, after {@code end} was sent. */
    public LoopResult loopResult() throws InterruptedException {
        return LoopResult.decode(await("result"));
    }

    /** Returns the bytes of heap in use after a garbage collection. */
    public long usedHeap() throws InterruptedException {
        send("heap");
        return Long.parseLong(await("heap").substring("heap ".length()));
    }

    /** Returns the processor time that the JVM has used, in user and kernel mode. */
    public Duration processorTime() {
        return process.info()
                .totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException("this system does not report processor times"));
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(replies::add);
        } catch (IOException | UncheckedIOException e) {
            // The process was closed or has ended, which is the same to a thread that waits for a reply.
        }
        replies.add(ENDED);
    }

    @Override
    public void close() {
        commands.close();
        process.destroyForcibly();
    }
}
