package io.keyhold.cli.view;

/** Text of others, made fit for a terminal: a lock's key or a foreign token may be anything, also an order to the terminal. */
public final class Plain {

    private static final String ELLIPSIS = "…";

    private Plain() {}

    /** The text without characters that do something instead of being shown. */
    public static String text(String text) {
        if (text.chars().noneMatch(Plain::acts)) {
            return text;
        }
        StringBuilder plain = new StringBuilder();
        text.chars().forEach(each -> {
            if (acts(each)) {
                plain.append(String.format("\\u%04x", each));
            } else {
                plain.append((char) each);
            }
        });
        return plain.toString();
    }

    /** Control characters, and those that turn the direction of writing. */
    private static boolean acts(int character) {
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
