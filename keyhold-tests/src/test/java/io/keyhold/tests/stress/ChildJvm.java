package io.keyhold.tests.stress;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A child JVM that runs one of the programs of this package. It reads and writes lines, and ends with this JVM, because its
 * programs end when their input does.
 */
final class ChildJvm implements AutoCloseable {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);
    private static final int ERROR_LINES = 60;

    private final String name;
    private final Process process;
    private final Writer input;
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> errors = new LinkedBlockingQueue<>();
    private volatile boolean killed;

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        this.input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        pump("output", process.getInputStream(), output, Integer.MAX_VALUE);
        pump("errors", process.getErrorStream(), errors, ERROR_LINES);
    }

    /** Starts it, with options that make a small JVM start fast. */
    static ChildJvm start(String name, Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        try {
            return new ChildJvm(name, new ProcessBuilder(command).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    /** Sends a line; a dead process ignores it. */
    void tell(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            if (process.isAlive()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The next line of its output that starts with this word; other lines before it are thrown away. */
    String await(String word) throws InterruptedException {
        long end = System.nanoTime() + TIME_LIMIT.toNanos();
        while (true) {
            String line = output.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError(name + " did not say '" + word + "' within " + TIME_LIMIT + "; alive: "
                        + process.isAlive() + "; errors: " + lastErrors());
            }
            if (line.equals(word) || line.startsWith(word + " ")) {
                return line;
            }
        }
    }

    /** Ends it as {@code kill -9} does, and waits for the end. */
    void kill() throws InterruptedException {
        killed = true;
        process.destroyForcibly();
        if (!process.waitFor(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError(name + " survived SIGKILL");
        }
    }

    boolean wasKilled() {
        return killed;
    }

    /** Whether it ended normally, by itself, within this time. */
    boolean endsWithin(Duration time) throws InterruptedException {
        return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
    }

    /** Returns its last lines of error output. */
    String lastErrors() {
        return String.join("\n", errors);
    }

    @Override
    public void close() {
        killed = true;
        process.destroyForcibly();
    }

    private void pump(String what, InputStream stream, BlockingQueue<String> lines, int keep) {
        Thread thread = new Thread(() -> copy(stream, lines, keep), name + "-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private static void copy(InputStream stream, BlockingQueue<String> lines, int keep) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (lines.size() >= keep) {
                    lines.poll();
                }
                lines.add(line);
            }
        } catch (IOException e) {
            // The process was killed in the middle of a line.
        }
    }
}
