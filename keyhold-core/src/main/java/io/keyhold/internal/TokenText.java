package io.keyhold.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of tokens: {@code client@host:pid:random.counter}. An operator who reads the lock's key sees its holder. The
 * 128 random bits are the client's, drawn once; the counter makes each token new.
 */
public final class TokenText {

    private static final Pattern SHAPE =
            Pattern.compile("([A-Za-z0-9._-]{1,64})@([A-Za-z0-9._-]{1,64}):(\\d{1,10}):[0-9a-f]{32}\\.\\d{1,19}");

    /** Follows the token of a hold that has ended and whose key stays taken for a while. No token of a hold ends with it. */
    static final String RESTING = " (resting)";

    private final String beginning;
    private final AtomicLong counter = new AtomicLong();

    /** Tokens of a client with this name. */
    public TokenText(String clientName) {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        beginning = clientName + "@" + HostName.VALUE + ":"
                + ProcessHandle.current().pid() + ":" + HexFormat.of().formatHex(random) + ".";
    }

    /** Returns a token that was never used before. */
    public String next() {
        return beginning + counter.incrementAndGet();
    }

    /**
     * The holder, as its token names it.
     *
     * @param clientName the client's name
     * @param host the machine
     * @param processId the process
     */
    public record Origin(String clientName, String host, long processId) {}

    /** Returns the token that keeps a key taken after the hold of this token has ended. */
    public static String resting(String token) {
        return token + RESTING;
    }

    /** Returns whether a token keeps a key taken after the end of a hold. */
    public static boolean isResting(String token) {
        return token.endsWith(RESTING);
    }

    /** Returns the origin of this token, if it has the shape of one of ours. */
    public static Optional<Origin> read(String token) {
        String held = isResting(token) ? token.substring(0, token.length() - RESTING.length()) : token;
        Matcher matcher = SHAPE.matcher(held);
        return matcher.matches()
                ? Optional.of(new Origin(matcher.group(1), matcher.group(2), Long.parseLong(matcher.group(3))))
                : Optional.empty();
    }

    /** Found once for the JVM, at the first token: the name service can be slow. */
    private static final class HostName {

        static final String VALUE = find();

        private static String find() {
            String name = System.getenv("HOSTNAME");
            if (name == null || name.isBlank()) {
                try {
                    name = InetAddress.getLocalHost().getHostName();
                } catch (UnknownHostException e) {
                    name = "unknown-host";
                }
            }
            String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]", "-");
            return plain.substring(0, Math.min(plain.length(), 64));
        }
    }
}
