package io.keyhold.cli.view;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The controlling terminal, through the program stty: Java cannot query its size or read single keys. */
final class Tty {

    static final File DEVICE = new File("/dev/tty");

    private static final Size DEFAULT = new Size(80, 24);

    private Tty() {}

    /**
     * The size of a terminal.
     *
     * @param columns characters in a line
     * @param rows lines
     */
    record Size(int columns, int rows) {}

    /** Returns the current size; 80 by 24 if it is not known. */
    static Size size() {
        String reply = stty("size");
        int space = reply.indexOf(' ');
        try {
            int rows = Integer.parseInt(reply.substring(0, Math.max(0, space)));
            int columns = Integer.parseInt(reply.substring(space + 1));
            return rows > 0 && columns > 0 ? new Size(columns, rows) : DEFAULT;
        } catch (NumberFormatException unknown) {
            return DEFAULT;
        }
    }

    /** Runs stty and returns its output; empty if there is no terminal. */
    static String stty(String... arguments) {
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
