package io.keyhold.inspect;

import java.time.Duration;
import java.util.Optional;

/**
 * A node of a quorum at one moment.
 *
 * @param address where it is
 * @param quarantine for how long it stays out of votes yet, because it was started anew and may have forgotten what it granted
 * @param trouble why it could not be asked, if it could not
 */
public record QuorumNode(String address, Optional<Duration> quarantine, Optional<String> trouble) {

    /** Whether it takes part in votes. */
    public boolean canVote() {
        return quarantine.isEmpty() && trouble.isEmpty();
    }
}
