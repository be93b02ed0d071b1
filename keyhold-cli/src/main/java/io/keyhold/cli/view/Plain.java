package io.keyhold.cli.view;

/** Text of others, made fit for a terminal: a lock's key or a foreign token may be anything, also an order to the terminal. */
public final class Plain {

    private static final String ELLIPSIS = "…";

    private Plain() {}

    /** The text without characters that do something instead of being shown. */
    public static String text(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (acts(each)) {
                plain.append(String.format("\\u%04x", (int) each));
            } else {
                plain.append(each);
            }
        }
        return plain.toString();
    }

    /** Control characters, and those that turn the direction of writing. */
    private static boolean acts(char character) {
        return Character.isISOControl(character)
                || Character.getType(character) == Character.FORMAT
                || character == '\u2028'
                || character == '\u2029';
    }

    /** The text in no more than so many columns; an ellipsis says that it was cut. */
    public static String cut(String text, int width) {
        if (width(text) <= width) {
            return text;
        }
        if (width < 1) {
            return "";
        }
        int end = 0;
        int room = width - 1;
        while (Columns.of(text.codePointAt(end)) <= room) {
            int next = text.codePointAt(end);
            room -= Columns.of(next);
            end += Character.charCount(next);
        }
        return text.substring(0, end) + ELLIPSIS;
    }

    /** How many columns it takes. */
    static int width(String text) {
        return Columns.of(text);
    }
}
