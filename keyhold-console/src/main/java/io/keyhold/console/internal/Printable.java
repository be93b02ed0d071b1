package io.keyhold.console.internal;

/** Makes text safe for a terminal and for one line of a log: a key or a foreign token may contain escape sequences. */
public final class Printable {

    private Printable() {}

    /** Escapes control characters, line separators, lone surrogates, and characters that change the direction of text. */
    public static String text(String text) {
        StringBuilder printable = new StringBuilder();
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            int next = text.codePointAt(at);
            if (isPrintable(next)) {
                printable.appendCodePoint(next);
            } else {
                for (char unit : Character.toChars(next)) {
                    printable.append(escape(unit));
                }
            }
        }
        return printable.toString();
    }

    private static boolean isPrintable(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }

    /** Returns a character as JSON and Java write it in ASCII. */
    static String escape(int character) {
        return "\\u" + Integer.toHexString(0x10000 | character).substring(1);
    }
}
