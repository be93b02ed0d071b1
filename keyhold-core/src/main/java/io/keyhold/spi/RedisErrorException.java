package io.keyhold.spi;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Thrown when the server replied to a command with an error. The message is the server's own words, such as {@code NOSCRIPT …}, without the
 * arguments that it repeats of an unknown command: those of {@code AUTH} are a password.
 */
public final class RedisErrorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final Set<String> UNAVAILABLE = Set.of("READONLY", "MASTERDOWN", "LOADING", "CLUSTERDOWN");

    /** How servers before Redis 7 report the error of a command that a script calls: raised in the script, or returned by it. */
    private static final Pattern IN_SCRIPT = Pattern.compile(
            "(?:ERR Error running script [^@]*)?(?:@user_script: ?\\d+: )+-?([A-Z]+) .*", Pattern.DOTALL);

    private static final Pattern ARGUMENTS = Pattern.compile(", with args beginning with.*", Pattern.DOTALL);

    /**
     * Creates the exception for an error reply.
     *
     * @param serverWords the reply, without the leading hyphen
     */
    public RedisErrorException(String serverWords) {
        super(ARGUMENTS.matcher(serverWords).replaceFirst(""));
    }

    /**
     * Returns the error's code, which is the first word of the reply: {@code NOSCRIPT}, {@code OOM}, {@code WRONGTYPE}… If a
     * command inside a script failed, the code is that of the command.
     *
     * @return the code
     */
    public String code() {
        String words = String.valueOf(getMessage());
        Matcher inScript = IN_SCRIPT.matcher(words);
        if (inScript.matches()) {
            return inScript.group(1);
        }
        int space = words.indexOf(' ');
        return space < 0 ? words : words.substring(0, space);
    }

    /**
     * Returns whether the server has not executed the command because it is not, or not yet, a master that serves: {@code READONLY},
     * {@code MASTERDOWN}, {@code LOADING} and {@code CLUSTERDOWN}. The command may be repeated, but after a failover another server may be
     * behind the address, or another address have the master: look it up again, and send nothing more on connections that were
     * open when such a reply came.
     *
     * @return whether the server is unavailable for now
     */
    public boolean isServerUnavailable() {
        return UNAVAILABLE.contains(code());
    }
}
