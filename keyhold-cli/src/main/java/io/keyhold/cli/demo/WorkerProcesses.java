package io.keyhold.cli.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The processes of the workers, each a JVM. */
final class WorkerProcesses implements Closeable {

    private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(10);

    private final Path folder;
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private final List<String> killed = new ArrayList<>();

    WorkerProcesses(Path folder) {
        this.folder = folder;
    }

    /**
     * Starts a worker.
     *
     * @param cheats whether it ignores the locks
     */
    void start(String name, String uri, Duration lease, boolean cheats) throws IOException {
        String classPath = Objects.requireNonNull(System.getProperty("java.class.path"), "java.class.path");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xlog:disable"));
        // The launcher's class-data archive beside the jar saves half of the start-up time.
        File archive = new File(classPath.replaceFirst("\\.jar$", ".jsa"));
        if (archive.isFile() && archive.length() > 0) {
            command.add("-XX:SharedArchiveFile=" + archive);
        }
        command.addAll(List.of("-cp", classPath, Worker.class.getName(), uri, name, folder.toString()));
        command.addAll(List.of(Long.toString(lease.toMillis()), Boolean.toString(cheats)));
        processes.put(
                name,
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(errorFile(name).toFile())
                        .start());
    }

    private Path errorFile(String name) {
        return folder.resolve(name + ".err");
    }

    List<String> names() {
        return List.copyOf(processes.keySet());
    }

    long pid(String name) {
        return process(name).pid();
    }

    private Process process(String name) {
        return Objects.requireNonNull(processes.get(name), name);
    }

    /** Sends a command to a worker; a dead worker ignores it. */
    void send(String name, String command) {
        try {
            OutputStream input = process(name).getOutputStream();
            input.write((command + "\n").getBytes(US_ASCII));
            input.flush();
        } catch (IOException dead) {
            // The report shows that it is missing.
        }
    }

    /** Kills a worker with SIGKILL, and returns when it is dead. */
    void kill(String name) throws InterruptedException {
        killed.add(name);
        process(name).destroyForcibly().waitFor();
    }

    /** Describes a worker that failed; empty if none did. A worker that was killed on purpose did not fail. */
    Optional<String> failure() {
        return processes.entrySet().stream()
                .filter(each -> !killed.contains(each.getKey())
                        && !each.getValue().isAlive()
                        && each.getValue().exitValue() != 0)
                .map(each -> each.getKey() + " exited with " + each.getValue().exitValue() + ": "
                        + firstErrorLine(each.getKey()))
                .findFirst();
    }

    private String firstErrorLine(String name) {
        try {
            return Files.readString(errorFile(name)).lines().findFirst().orElse("no error output");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets all workers finish, and waits for them. */
    void finish(Duration timeout) throws InterruptedException {
        names().forEach(name -> send(name, "finish"));
        long end = System.nanoTime() + timeout.toNanos();
        for (Process process : processes.values()) {
            process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
        // A worker must not write to the directory while it is being removed.
        processes
                .values()
                .forEach(process -> process.onExit()
                        .completeOnTimeout(process, EXIT_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                        .join());
    }
}
