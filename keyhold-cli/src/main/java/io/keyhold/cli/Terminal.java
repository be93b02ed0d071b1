package io.keyhold.cli;

/**
 * Whether a standard stream is a terminal. Java cannot query a single stream, so the launcher does, and passes the result in system
 * properties. Without the launcher, no stream counts as a terminal.
 */
enum Terminal {
    OUTPUT("keyhold.terminal.output"),
    ERROR("keyhold.terminal.error");

    private final boolean open;

    Terminal(String property) {
        this.open = Boolean.getBoolean(property);
    }

    /** Whether the stream is a terminal. */
    boolean isOpen() {
        return open;
    }

    /** Whether it can be redrawn in place. */
    boolean draws() {
        return open && !"dumb".equals(System.getenv("TERM"));
    }

    /** Whether it has colours: a terminal has, unless NO_COLOR is set. */
    boolean hasColours() {
        String noColour = System.getenv("NO_COLOR");
        return draws() && (noColour == null || noColour.isEmpty());
    }
}
