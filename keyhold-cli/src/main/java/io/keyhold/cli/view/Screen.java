package io.keyhold.cli.view;

import java.io.FileInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The whole terminal for a while: drawn in place, and given back as it was, also when the process is ended by a signal. What
 * is typed is not shown; {@code q} means enough.
 */
public final class Screen implements AutoCloseable {

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
        this.settings = Tty.stty("-g");
    }

    /** Takes the terminal. Standard output has to be one. */
    public static Screen open(Output output) {
        Screen screen = new Screen(output);
        Runtime.getRuntime().addShutdownHook(screen.restore);
        // A key is read as soon as it is typed, and not waited for longer than a tenth of a second.
        Tty.stty("-icanon", "-echo", "min", "0", "time", "1");
        output.text(ENTER);
        return screen;
    }

    /** The width of a line. */
    public static int columns() {
        return Tty.size().columns();
    }

    /** Shows these lines and nothing else; those below the screen's end are left out, with a word about it. */
    public synchronized void draw(List<String> lines) {
        if (restored) {
            return;
        }
        int rows = Tty.size().rows();
        boolean fits = lines.size() <= rows;
        StringBuilder frame = new StringBuilder(HOME);
        for (int i = 0; i < (fits ? lines.size() : rows - 1); i++) {
            frame.append(i == 0 ? "" : "\r\n").append(lines.get(i)).append(REST_OF_LINE);
        }
        if (!fits) {
            frame.append("\r\n… and ")
                    .append(lines.size() - rows + 1)
                    .append(" lines more")
                    .append(REST_OF_LINE);
        }
        output.text(frame.append(REST_OF_SCREEN).toString());
    }

    /** Waits so long, or until somebody has typed {@code q}, and says whether somebody has. */
    public boolean isLeftWithin(Duration time) throws InterruptedException {
        if (settings.isEmpty()) {
            // Without stty a key would be waited for until the line ends.
            Thread.sleep(time.toMillis());
            return false;
        }
        long end = System.nanoTime() + time.toNanos();
        try (FileInputStream keys = new FileInputStream(Tty.DEVICE)) {
            while (System.nanoTime() - end < 0) {
                int key = keys.read();
                if (key == 'q' || key == 'Q') {
                    return true;
                }
            }
            return false;
        } catch (IOException noTerminal) {
            return false;
        }
    }

    /** Gives the terminal back. */
    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(restore);
        } catch (IllegalStateException atTheEnd) {
            // Then it has been given back already.
        }
    }

    private synchronized void restore() {
        if (!restored) {
            restored = true;
            output.text(LEAVE);
            if (!settings.isEmpty()) {
                Tty.stty(settings);
            }
        }
    }
}
