package io.keyhold.cli;

/** The little of JSON that is written here. */
final class Json {

    private Json() {}

    /** A string with its quotation marks. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '"' || each == '\\') {
                quoted.append('\\').append(each);
            } else if (each < ' ') {
                quoted.append("\\u00")
                        .append(Character.forDigit(each >> 4, 16))
                        .append(Character.forDigit(each & 15, 16));
            } else {
                quoted.append(each);
            }
        }
        return quoted.append('"').toString();
    }
}
