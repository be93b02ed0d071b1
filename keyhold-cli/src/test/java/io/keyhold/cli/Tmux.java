package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/** A terminal with a shell, in its own tmux server. Types keys and reads the screen. */
final class Tmux implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 50;

    private final Path socket;

    private Tmux(Path socket) {
        this.socket = socket;
    }

    /** Whether this program is installed. */
    static boolean has(String program) {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Opens a shell with these variables, on a screen of this size. */
    static Tmux open(Path home, Map<String, String> variables, int columns, int rows) {
        Tmux tmux = new Tmux(home.resolve("tmux"));
        List<String> command = new ArrayList<>(List.of("-f", "/dev/null", "new-session", "-d", "-c", home.toString()));
        command.addAll(List.of("-x", Integer.toString(columns), "-y", Integer.toString(rows)));
        // Keeps the typed lines out of the user's shell history.
        command.addAll(List.of("-e", "HISTFILE=/dev/null"));
        variables.forEach((name, value) -> command.addAll(List.of("-e", name + "=" + value)));
        command.add("PS1='ready> ' bash --norc --noprofile");
        tmux.call(command.toArray(new String[0]));
        tmux.await(screen -> screen.contains("ready>"));
        return tmux;
    }

    /** Types a line. */
    void line(String text) {
        call("send-keys", "-l", text);
        key("Enter");
    }

    /** Presses a key, by its name in tmux. */
    void key(String name) {
        call("send-keys", name);
    }

    /** Returns the text on the screen. */
    String screen() {
        return call("capture-pane", "-p");
    }

    /** From now on, appends everything that is written to the terminal to a file. */
    void record(Path file) {
        call("pipe-pane", "cat >>'" + file + "'");
    }

    /** Waits until the screen matches, and returns it. */
    String await(Predicate<String> expected) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        String screen = screen();
        while (!expected.test(screen)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not on the screen within " + TIMEOUT + ":\n" + screen);
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            screen = screen();
        }
        return screen;
    }

    private String call(String... arguments) {
        List<String> command = new ArrayList<>(Signals.withDefaultSignals());
        command.addAll(List.of("tmux", "-u", "-S", socket.toString()));
        command.addAll(Arrays.asList(arguments));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            Launcher.clean(builder.environment());
            builder.environment().remove("TMUX");
            builder.environment().put("SHELL", "/bin/sh"); // The shell that tmux uses to run commands.
            Process process = builder.start();
            String output =
                    new String(Objects.requireNonNull(process.getInputStream()).readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        call("kill-server");
    }
}
