package io.keyhold.spi;

/** The server answered a command with an error. The message is the server's own words, such as {@code NOSCRIPT …}. */
public final class RedisErrorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** An error reply with these words. */
    public RedisErrorException(String serverWords) {
        super(serverWords);
    }

    /** The first word of the reply, which is the error's code: {@code NOSCRIPT}, {@code OOM}, {@code WRONGTYPE}… */
    public String code() {
        String words = String.valueOf(getMessage());
        int space = words.indexOf(' ');
        return space < 0 ? words : words.substring(0, space);
    }
}
