package io.keyhold.internal.store.quorum;

import io.keyhold.internal.Formats;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.Optional;

/** The outcome of one node's vote. */
sealed interface NodeOutcome {

    /** Returns the outcome as a user reads it, behind the node's address. */
    String text();

    /** The node has replied. */
    record Replied(VoteReply reply) implements NodeOutcome {
        @Override
        public String text() {
            if (reply instanceof VoteReply.Busy busy) {
                return busy.holder()
                        .map(token -> "busy, held by " + Formats.cut(token, 200) + remaining(busy))
                        .orElse("free");
            }
            return reply instanceof VoteReply.Abstained abstained
                    ? "quarantined for another " + duration(abstained.remainingMillis())
                            + " after a restart (set admitFreshNodes(true) only if this server is new)"
                    : "granted";
        }

        private static String remaining(VoteReply.Busy busy) {
            return busy.remainingMillis().isPresent()
                    ? " for " + duration(busy.remainingMillis().getAsLong())
                    : "";
        }

        private static String duration(long millis) {
            return Formats.duration(Duration.ofMillis(millis));
        }
    }

    /** The node has not replied in time. */
    record Silent(Duration timeout) implements NodeOutcome {
        @Override
        public String text() {
            return "no reply within " + Formats.duration(timeout);
        }
    }

    /** The request could not be sent, failed, or was refused. */
    record Failed(Throwable cause) implements NodeOutcome {
        @Override
        public String text() {
            return "failed: " + cause.getMessage();
        }
    }

    /** The node granted, and did not confirm the second round: because of this failure, or because the hold was gone. */
    record Unconfirmed(Optional<NodeOutcome> failure) implements NodeOutcome {
        @Override
        public String text() {
            return failure.map(later -> "granted, then " + later.text())
                    .orElse("granted, but no longer held in the second round");
        }
    }

    static NodeOutcome of(Throwable failure) {
        return new Failed(Stages.unwrapped(failure));
    }

    default Optional<Throwable> failed() {
        return this instanceof Failed failed ? Optional.of(failed.cause()) : Optional.empty();
    }

    default Optional<VoteReply.Granted> granted() {
        return this instanceof Replied replied && replied.reply() instanceof VoteReply.Granted granted
                ? Optional.of(granted)
                : Optional.empty();
    }

    default Optional<VoteReply.Busy> busy() {
        return this instanceof Replied replied && replied.reply() instanceof VoteReply.Busy busy
                ? Optional.of(busy)
                : Optional.empty();
    }

    /** Whether the node has replied that it granted. */
    default boolean hasGranted() {
        return granted().isPresent() || this instanceof Unconfirmed;
    }

    /** Whether the node may have granted: also if that is not known. */
    default boolean mayHaveGranted() {
        return hasGranted()
                || this instanceof Silent
                || (this instanceof Failed failed && StoreFailure.isOutcomeUnknown(failed.cause()));
    }

    /** Whether the node took part in the vote: it knows the holder of the lock. */
    default boolean isVote() {
        return granted().isPresent()
                || busy().isPresent()
                || (this instanceof Unconfirmed later && later.failure().isEmpty());
    }
}
