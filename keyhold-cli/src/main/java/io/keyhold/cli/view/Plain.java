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

    /** The text in no more than so many characters; an ellipsis says that it was cut. */
    public static String cut(String text, int width) {
        if (width(text) <= width) {
            return text;
        }
        return width < 1 ? "" : text.substring(0, text.offsetByCodePoints(0, width - 1)) + ELLIPSIS;
    }

    /** How many characters are shown. */
    static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
