package io.keyhold.internal.simulation;

import java.util.OptionalLong;

/** When the store last replied to one request, if it ever did. */
final class Contact {

    private OptionalLong lastReply = OptionalLong.empty();

    void replied(long now) {
        lastReply = OptionalLong.of(now);
    }

    OptionalLong lastReply() {
        return lastReply;
    }
}
