package io.keyhold.cli;

/**
 * Whether people read along. Java cannot ask that of one stream, so the launcher does and says it by system properties;
 * without the launcher nothing is taken for a terminal.
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

    /** Whether standard output can be drawn on, again and again in place. */
    static boolean drawing() {
        return output() && !isDumb();
    }

    private static boolean isDumb() {
        return "dumb".equals(System.getenv("TERM"));
    }

    /** Whether standard output takes colours: only a terminal does, and not if the user has set NO_COLOR. */
    static boolean colours() {
        return output() && mayBeColoured();
    }

    /** Whether standard error takes colours. */
    static boolean errorColours() {
        return error() && mayBeColoured();
    }

    private static boolean mayBeColoured() {
        String refused = System.getenv("NO_COLOR");
        return (refused == null || refused.isEmpty()) && !isDumb();
    }
}
