package io.keyhold.testkit;

import java.util.concurrent.CompletableFuture;

/** Loses the reply to a request with this text; the future tells when. */
record ReplyTrap(String text, CompletableFuture<Void> sprung) {
    /** Whether the text ends in this request. One that ended before has already had its reply. */
    boolean matches(String before, String request) {
        int firstThatEndsInRequest = Math.max(0, before.length() - text.length() + 1);
        return (before + request).indexOf(text, firstThatEndsInRequest) >= 0;
    }
}
