package io.keyhold.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * Who may use the server: a one-time token, as part of a URL, is exchanged for a cookie. The token that was used is replaced by a new one. Safe for use by many
 * threads.
 */
final class PageAccess {

    private static final int RANDOM_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final String session = secret();
    private final String cookieName;
    private String token = secret();

    /** Cookies are shared by all ports of a host, so the name contains the port. */
    PageAccess(int port) {
        this.cookieName = "keyhold-console-" + port;
    }

    private String secret() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the token that the next new browser needs. */
    synchronized String token() {
        return token;
    }

    /** Returns the cookie for a browser that has the token, which is then used up. */
    synchronized Optional<String> exchange(String given) {
        if (!same(given, token)) {
            return Optional.empty();
        }
        token = secret();
        return Optional.of(cookieName + "=" + session + "; Path=/; HttpOnly; SameSite=Strict");
    }

    /** Returns whether one of the cookies is ours. */
    boolean isKnown(Iterable<String> cookieHeaders) {
        for (String header : cookieHeaders) {
            for (String cookie : header.split(";", -1)) {
                String[] pair = cookie.strip().split("=", 2);
                if (pair.length == 2 && pair[0].equals(cookieName) && same(pair[1], session)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Takes the same time wherever they differ. */
    private static boolean same(String given, String secret) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
    }
}
