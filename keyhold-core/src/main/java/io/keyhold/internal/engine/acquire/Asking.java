package io.keyhold.internal.engine.acquire;

import io.keyhold.internal.engine.lease.Sending;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.internal.time.ConcurrencyLimit;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The command of a request in state {@link RequestState#ASKING}, and what happens while it is in flight. Used by the steps of the
 * request; others call {@link #isUnsent()} only.
 */
final class Asking {

    private final Sending sending;
    private final boolean repeated;
    private volatile @Nullable CompletionStage<AcquireReply> command;
    /** Whether a message may have been missed since the command was sent, so that its reply may be out of date. */
    private boolean outOfDate;
    /** A grant that arrived before the reply to the command. */
    private Optional<Arrival> early = Optional.empty();

    /**
     * A grant that has arrived.
     *
     * @param before a moment before the grant was made, if one is known
     */
    record Arrival(GrantNotice notice, Optional<ClockReading> before) {}

    /** {@code repeated} says that the same was asked on another connection just before. */
    Asking(Sending sending, boolean repeated) {
        this.sending = sending;
        this.repeated = repeated;
    }

    void command(CompletionStage<AcquireReply> started) {
        command = started;
    }

    Sending sending() {
        return sending;
    }

    boolean isRepeated() {
        return repeated;
    }

    void markOutOfDate() {
        outOfDate = true;
    }

    boolean isOutOfDate() {
        return outOfDate;
    }

    /** Keeps a grant until the reply is here. If the command was not sent, its turn might come after the end of the grant: it is withdrawn. */
    void keep(Arrival grant) {
        early = Optional.of(grant);
        withdraw();
    }

    Optional<Arrival> early() {
        return early;
    }

    /** Returns the grant that was kept, unless the reply was made after it: then the lock was lost again meanwhile. */
    Optional<Arrival> earlyBefore(AcquireReply.Busy reply) {
        return early.filter(grant -> reply.atMicros().isEmpty()
                || reply.atMicros().getAsLong() <= grant.notice().atMicros());
    }

    /** Returns whether the command waits inside this client, with nothing sent. */
    boolean isUnsent() {
        return command instanceof ConcurrencyLimit.Pending<?> pending && pending.isQueued();
    }

    /** Keeps the command from being sent, if it was not. The reply, or a failure in its place, comes all the same. */
    void withdraw() {
        if (command instanceof ConcurrencyLimit.Pending<?> pending) {
            pending.withdraw();
        }
    }

    boolean isWithdrawn() {
        return command instanceof ConcurrencyLimit.Pending<?> pending && pending.isWithdrawn();
    }
}
