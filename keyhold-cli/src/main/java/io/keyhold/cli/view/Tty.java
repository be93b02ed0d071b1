package io.keyhold.cli.view;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The terminal that this process belongs to, by the program stty: Java itself can neither ask its size nor its keys. */
final class Tty {

    static final File DEVICE = new File("/dev/tty");

    private static final Size USUAL = new Size(80, 24);

    private Tty() {}

    /**
     * How large it is.
     *
     * @param columns characters in a line
     * @param rows lines
     */
    record Size(int columns, int rows) {}

    /** How large it is now; as terminals usually are, if it does not tell. */
    static Size size() {
        String answer = stty("size");
        int space = answer.indexOf(' ');
        try {
            int rows = Integer.parseInt(answer.substring(0, Math.max(0, space)));
            int columns = Integer.parseInt(answer.substring(space + 1));
            return rows > 0 && columns > 0 ? new Size(columns, rows) : USUAL;
        } catch (NumberFormatException unknown) {
            return USUAL;
        }
    }

    /** What stty says, or nothing if there is no terminal. */
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
