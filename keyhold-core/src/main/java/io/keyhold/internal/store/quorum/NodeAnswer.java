package io.keyhold.internal.store.quorum;

import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What became of one node's vote. */
sealed interface NodeAnswer {

    /** As a user reads it, behind the node's address. */
    String text();

    /** It voted for the asker, with this number. */
    record Granted(long number) implements NodeAnswer {
        @Override
        public String text() {
            return "granted";
        }
    }

    /** Somebody else has the lock there. */
    record Busy(Optional<String> holder, OptionalLong remainingMillis) implements NodeAnswer {
        @Override
        public String text() {
            String end = remainingMillis.isPresent()
                    ? " for " + Formats.duration(Duration.ofMillis(remainingMillis.getAsLong()))
                    : "";
            return holder.map(token -> "busy, held by " + Formats.cut(token, 200) + end)
                    .orElse("free, and left so");
        }
    }

    /** It may have lost its memory. */
    record Quarantined(long remainingMillis) implements NodeAnswer {
        @Override
        public String text() {
            return "in quarantine for " + Formats.duration(Duration.ofMillis(remainingMillis))
                    + " yet, because it may have forgotten what it granted (one that is known to be new is let in by"
                    + " admitFreshNodes)";
        }
    }

    /** It did not answer in time. */
    record Silent(Duration timeout) implements NodeAnswer {
        @Override
        public String text() {
            return "no answer within " + Formats.duration(timeout);
        }
    }

    /** It could not be asked, or refused. */
    record Failure(Throwable cause) implements NodeAnswer {
        @Override
        public String text() {
            return "failed: " + cause.getMessage();
        }
    }

    /** It granted, and did not confirm the second round: because of this trouble, or because it knows of no hold any more. */
    record Unconfirmed(Optional<NodeAnswer> trouble) implements NodeAnswer {
        @Override
        public String text() {
            return trouble.map(later -> "granted, and then: " + later.text())
                    .orElse("granted, but lost it before the second round was over");
        }
    }

    static NodeAnswer of(VoteReply reply) {
        if (reply instanceof VoteReply.Granted granted) {
            return new Granted(granted.number());
        }
        if (reply instanceof VoteReply.Busy busy) {
            return new Busy(busy.holder(), busy.remainingMillis());
        }
        return new Quarantined(((VoteReply.Abstained) reply).remainingMillis());
    }

    static NodeAnswer of(Throwable failure) {
        return new Failure(Stages.unwrapped(failure));
    }

    /** Whether the asker may have the lock there: also where nobody knows. */
    default boolean mayHaveGranted() {
        return this instanceof Granted
                || this instanceof Unconfirmed
                || this instanceof Silent
                || (this instanceof Failure failed
                        && !(failed.cause() instanceof StoreUnavailableException known && !known.outcomeUnknown()));
    }

    /** Whether the node took part: it knows who has the lock. */
    default boolean isVote() {
        return this instanceof Granted
                || this instanceof Busy
                || (this instanceof Unconfirmed later && later.trouble().isEmpty());
    }
}
