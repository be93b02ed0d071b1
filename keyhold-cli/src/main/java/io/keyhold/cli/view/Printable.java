package io.keyhold.cli.view;

/** Makes text safe for a terminal: a key or a foreign token may contain escape sequences. */
public final class Printable {

    private static final String ELLIPSIS = "…";

    private Printable() {}

    /** Escapes control and format characters. */
    public static String text(String text) {
        StringBuilder printable = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (isUnprintable(each)) {
                printable.append(String.format("\\u%04x", (int) each));
            } else {
                printable.append(each);
            }
        }
        return printable.toString();
    }

    /** Control characters, and characters that change the direction of text. */
    private static boolean isUnprintable(char character) {
        return Character.isISOControl(character)
                || Character.getType(character) == Character.FORMAT
                || character == '\u2028'
                || character == '\u2029';
    }

    /** Cuts the text to this many columns; a cut text ends in an ellipsis. */
    public static String cut(String text, int width) {
        if (TextWidth.of(text) <= width) {
            return text;
        }
        if (width < 1) {
            return "";
        }
        int end = 0;
        int room = width - 1;
        while (TextWidth.of(text.codePointAt(end)) <= room) {
            int next = text.codePointAt(end);
            room -= TextWidth.of(next);
            end += Character.charCount(next);
        }
        return text.substring(0, end) + ELLIPSIS;
    }
}
