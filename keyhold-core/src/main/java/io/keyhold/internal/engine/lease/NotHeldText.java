package io.keyhold.internal.engine.lease;

import io.keyhold.LeaseLost;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.HoldReply;

/** What a store's reply "not held" says of a loss. */
final class NotHeldText {

    private NotHeldText() {}

    static LeaseLost.Reason reason(HoldReply.NotHeld reply) {
        return reply.holder().isPresent() ? LeaseLost.Reason.TAKEN : LeaseLost.Reason.GONE;
    }

    static String detail(HoldReply.NotHeld reply) {
        return reply.holder()
                .map(holder -> "now held by " + Formats.token(holder))
                .orElse("no longer on the server: expired, force-released, or lost in a restart");
    }
}
