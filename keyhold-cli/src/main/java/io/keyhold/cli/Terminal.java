package io.keyhold.cli;

/**
 * Whether the standard streams are terminals. Java cannot query a single stream, so the launcher does, and passes the result in system
 * properties. Without the launcher, no stream counts as a terminal.
 */
final class Terminal {

    private Terminal() {}

    /** Whether standard output is a terminal. */
    static boolean output() {
        return Boolean.getBoolean("keyhold.terminal.output");
    }

    /** Whether standard error is a terminal. */
    static boolean error() {
        return Boolean.getBoolean("keyhold.terminal.error");
    }

    /** Whether standard output can be redrawn in place. */
    static boolean drawing() {
        return output() && !isDumb();
    }

    /** Whether a line on standard error can be redrawn in place. */
    static boolean errorDrawing() {
        return error() && !isDumb();
    }

    private static boolean isDumb() {
        return "dumb".equals(System.getenv("TERM"));
    }

    /** Whether standard output has colours: only a terminal has, unless NO_COLOR is set. */
    static boolean colours() {
        return output() && colourAllowed();
    }

    /** Whether standard error has colours. */
    static boolean errorColours() {
        return error() && colourAllowed();
    }

    private static boolean colourAllowed() {
        String noColour = System.getenv("NO_COLOR");
        return (noColour == null || noColour.isEmpty()) && !isDumb();
    }
}
