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

/** The workers' processes: Java virtual machines like this one. */
final class Crew implements Closeable {

    private static final Duration DEATH_PATIENCE = Duration.ofSeconds(10);

    private final Path folder;
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private final List<String> killed = new ArrayList<>();

    Crew(Path folder) {
        this.folder = folder;
    }

    /**
     * Starts one more.
     *
     * @param honest whether it asks before it goes in
     */
    void start(String name, String uri, Duration lease, boolean honest) throws IOException {
        String classPath = Objects.requireNonNull(System.getProperty("java.class.path"), "java.class.path");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xlog:disable"));
        // The launcher keeps it beside the jar: half of the start-up time saved.
        File archive = new File(classPath.replaceFirst("\\.jar$", ".jsa"));
        if (archive.isFile() && archive.length() > 0) {
            command.add("-XX:SharedArchiveFile=" + archive);
        }
        command.addAll(List.of("-cp", classPath, Worker.class.getName(), uri, name, folder.toString()));
        command.addAll(List.of(Long.toString(lease.toMillis()), Boolean.toString(honest)));
        processes.put(
                name,
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(complaints(name).toFile())
                        .start());
    }

    private Path complaints(String name) {
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

    /** Tells a worker something; one that is dead does not hear it. */
    void order(String name, String order) {
        try {
            OutputStream input = process(name).getOutputStream();
            input.write((order + "\n").getBytes(US_ASCII));
            input.flush();
        } catch (IOException dead) {
            // The verdict notices who is missing.
        }
    }

    /** Kills a worker with SIGKILL, and returns when it is dead. */
    void kill(String name) throws InterruptedException {
        killed.add(name);
        process(name).destroyForcibly().waitFor();
    }

    /** Why a worker has ended that nobody has killed or told to, or not ended well; empty if all is well. */
    Optional<String> trouble() {
        return processes.entrySet().stream()
                .filter(each -> !killed.contains(each.getKey())
                        && !each.getValue().isAlive()
                        && each.getValue().exitValue() != 0)
                .map(each -> each.getKey() + " ended with " + each.getValue().exitValue() + ": "
                        + firstComplaint(each.getKey()))
                .findFirst();
    }

    private String firstComplaint(String name) {
        try {
            return Files.readString(complaints(name)).lines().findFirst().orElse("it said nothing");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets all come to an end. */
    void finish(Duration patience) throws InterruptedException {
        names().forEach(name -> order(name, "finish"));
        long end = System.nanoTime() + patience.toNanos();
        for (Process process : processes.values()) {
            process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
        // What they still write must not come when the folder is being removed.
        processes
                .values()
                .forEach(process -> process.onExit()
                        .completeOnTimeout(process, DEATH_PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .join());
    }
}
