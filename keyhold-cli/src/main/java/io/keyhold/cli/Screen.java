package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Uses the whole terminal and redraws it in place. Restores the terminal when it is closed, also if a signal ends the process.
 * Typed characters are not shown; {@code q} quits. Calls the program stty, because Java can neither query the size of a terminal nor
 * read single keys.
 */
final class Screen implements AutoCloseable {

    private static final File DEVICE = new File("/dev/tty");
    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String REST_OF_SCREEN = "\u001b[J";

    private final Output output;
    private final String settings;
    private final Thread restore = new Thread(this::restore, "keyhold-screen");
    private boolean restored;

    private Screen(Output output) {
        this.output = output;
        this.settings = stty("-g");
    }

    /** Switches the terminal to this screen. Standard output must be a terminal. */
    static Screen open(Output output) {
        Screen screen = new Screen(output);
        Runtime.getRuntime().addShutdownHook(screen.restore);
        // A read returns as soon as a key is typed, or after a tenth of a second.
        stty("-icanon", "-echo", "min", "0", "time", "1");
        output.text(ENTER);
        return screen;
    }

    record Size(int rows, int columns) {}

    /** Returns the size of the terminal; 24 rows of 80 columns if it is not known. */
    static Size size() {
        String size = stty("size");
        int space = size.indexOf(' ');
        return size.matches("[1-9][0-9]* [1-9][0-9]*")
                ? new Size(Integer.parseInt(size.substring(0, space)), Integer.parseInt(size.substring(space + 1)))
                : new Size(24, 80);
    }

    /** Shows these lines only. If they do not fit into these rows, the last one shows how many are missing. */
    synchronized void draw(List<String> lines, int rows) {
        if (restored) {
            return;
        }
        boolean fits = lines.size() <= rows;
        StringBuilder frame = new StringBuilder(HOME);
        for (int i = 0; i < (fits ? lines.size() : rows - 1); i++) {
            frame.append(i == 0 ? "" : "\r\n").append(lines.get(i)).append(REST_OF_LINE);
        }
        if (!fits) {
            frame.append("\r\n… and ")
                    .append(lines.size() - rows + 1)
                    .append(" more lines")
                    .append(REST_OF_LINE);
        }
        output.text(frame.append(REST_OF_SCREEN).toString());
    }

    /** Waits for this time or until {@code q} is typed; returns whether it was, or the terminal is gone. */
    boolean quitWithin(Duration time) throws InterruptedException {
        if (settings.isEmpty()) {
            // Without stty a read would block until the end of the line.
            Thread.sleep(time.toMillis());
            return false;
        }
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            // Opened for each key: after the end of a terminal that is open, reads return at once.
            try (FileInputStream keys = new FileInputStream(DEVICE)) {
                int key = keys.read();
                if (key == 'q' || key == 'Q') {
                    return true;
                }
            } catch (IOException noTerminal) {
                return true;
            }
        }
        return false;
    }

    /** Restores the terminal. */
    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(restore);
        } catch (IllegalStateException shuttingDown) {
            // The shutdown hook has restored it.
        }
    }

    private synchronized void restore() {
        if (!restored) {
            restored = true;
            output.text(LEAVE);
            if (!settings.isEmpty()) {
                stty(settings);
            }
        }
    }

    /** Runs stty and returns its output; empty if there is no terminal. */
    private static String stty(String... arguments) {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(Arrays.asList(arguments));
        try {
            Process stty = new ProcessBuilder(command)
                    .redirectInput(DEVICE)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new String(stty.getInputStream().readAllBytes(), US_ASCII).strip();
        } catch (IOException none) {
            return "";
        }
    }
}
