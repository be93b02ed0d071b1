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

/** The runner's handle on a JVM that runs {@link WorkerMain}. */
public final class WorkerProcess implements AutoCloseable {

    /** The same for all: a small heap and the collector that costs the least processors. */
    private static final List<String> JVM_OPTIONS = List.of("-Xms64m", "-Xmx192m", "-XX:+UseSerialGC");

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String GONE = "gone";

    private final Process process;
    private final PrintWriter orders;
    private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();

    private WorkerProcess(Process process) {
        this.process = process;
        this.orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread reader = new Thread(this::read, "worker-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a JVM with the class path of this one; what it prints as errors is appended to the log. */
    public static WorkerProcess start(Path log) {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.command().addAll(JVM_OPTIONS);
        builder.command().addAll(List.of("-cp", System.getProperty("java.class.path"), WorkerMain.class.getName()));
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            return new WorkerProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a JVM: " + e.getMessage(), e);
        }
    }

    /** The options of the JVMs, for the report. */
    public static String jvmOptions() {
        return String.join(" ", JVM_OPTIONS);
    }

    /** Gives an order, without waiting for its answer. */
    public void order(String line) {
        orders.println(line);
    }

    /** Waits for an answer that starts with this word, and answers the whole line. */
    public String await(String word) throws InterruptedException {
        String reply = replies.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (reply == null) {
            throw new IllegalStateException("no answer \"" + word + "\" within " + PATIENCE.toSeconds() + " s");
        }
        if (!reply.equals(word) && !reply.startsWith(word + " ")) {
            throw new IllegalStateException(
                    reply.equals(GONE) ? "the worker JVM has ended; worker.log may tell why" : reply);
        }
        return reply;
    }

    /** Starts the loop that {@link Loop} describes. */
    public void loop(LoopPlan plan, String key) throws InterruptedException {
        order("loop " + plan.encode(key));
        await("looping");
    }

    /** The result of the loop, after {@code end} was ordered. */
    public LoopResult loopResult() throws InterruptedException {
        return LoopResult.decode(await("result"));
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(replies::add);
        } catch (IOException | UncheckedIOException e) {
            // It was closed, or has ended: the same to whoever waits for an answer.
        }
        replies.add(GONE);
    }

    @Override
    public void close() {
        orders.close();
        process.destroyForcibly();
    }
}
