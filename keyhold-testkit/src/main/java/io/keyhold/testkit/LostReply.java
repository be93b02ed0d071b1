package io.keyhold.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The reply that a connection loses when one of its requests walks into a trap.
 *
 * <p>The proxy does not understand the protocol, and the first reply after that request may belong to an earlier one: an
 * asynchronous client has several in flight. So once the request has been forwarded and some reply has come, the
 * server is told that there will be no more requests, and everything is thrown away until the server closes the
 * connection. Then it has executed all that it got.
 *
 * <p>The reply is waited for, instead of telling the server at once, because a long request comes in several packets. Only
 * if an earlier reply comes between two packets of this very request is it cut short and never executed.
 */
final class LostReply {
    /** A text that is longer than this is not found when it is split between two packets. */
    private static final int REMEMBERED_CHARACTERS = 1024;

    private final ReplyTraps traps;
    private String before = "";
    private @Nullable ReplyTrap trap;
    private boolean passedOn;
    private boolean replied;
    private boolean drained;

    LostReply(ReplyTraps traps) {
        this.traps = traps;
    }

    /** Must be called before a request is forwarded, so that its reply cannot slip through. */
    synchronized void beforeRequest(byte[] data) {
        if (trap == null) {
            String request = new String(data, StandardCharsets.ISO_8859_1);
            trap = traps.springFor(before, request).orElse(null);
            String all = before + request;
            before = all.substring(Math.max(0, all.length() - REMEMBERED_CHARACTERS));
        }
    }

    synchronized boolean isAwaited() {
        return trap != null;
    }

    /** Whether the server has to be told now that there will be no more requests: true once for a connection. */
    synchronized boolean afterRequest() {
        boolean first = trap != null && !passedOn;
        passedOn = trap != null;
        return first && replied;
    }

    /** Whether the server has to be told now that there will be no more requests: true once for a connection. */
    synchronized boolean afterReply() {
        boolean first = !replied;
        replied = true;
        return first && passedOn;
    }

    synchronized boolean isLastRequestSent() {
        return passedOn && replied;
    }

    synchronized void drained() {
        drained = true;
    }

    /** The future is completed last, so that the connection is closed by then. */
    void connectionEnded() {
        ReplyTrap sprung;
        boolean lost;
        synchronized (this) {
            sprung = trap;
            lost = replied && drained;
        }
        if (sprung == null) {
            return;
        }
        if (lost) {
            sprung.sprung().complete(null);
        } else {
            sprung.sprung()
                    .completeExceptionally(new IOException(
                            "the connection ended before the server had replied to \"" + sprung.text() + "\""));
        }
    }
}
