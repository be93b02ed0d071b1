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

/** A terminal with a shell in it, in a tmux of its own: keys are typed and the screen is read as a person would. */
final class Tmux implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
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

    /** A shell with these variables, on a screen of this size. */
    static Tmux open(Path home, Map<String, String> variables, int columns, int rows) {
        Tmux tmux = new Tmux(home.resolve("tmux"));
        List<String> command = new ArrayList<>(List.of("-f", "/dev/null", "new-session", "-d", "-c", home.toString()));
        command.addAll(List.of("-x", Integer.toString(columns), "-y", Integer.toString(rows)));
        // The shell would add what is typed here to the history of whoever runs the tests.
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

    /** Presses a key by the name that tmux has for it. */
    void key(String name) {
        call("send-keys", name);
    }

    /** What is to be seen. */
    String screen() {
        return call("capture-pane", "-p");
    }

    /** Looks until it is to be seen. */
    String await(Predicate<String> wanted) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        String screen = screen();
        while (!wanted.test(screen)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not seen within " + PATIENCE + ", but:\n" + screen);
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
        List<String> command = new ArrayList<>(Signals.hearing());
        command.addAll(List.of("tmux", "-u", "-S", socket.toString()));
        command.addAll(Arrays.asList(arguments));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            Launcher.forget(builder.environment());
            builder.environment().remove("TMUX");
            builder.environment().put("SHELL", "/bin/sh"); // By which tmux runs the shell; the caller's may be any.
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
