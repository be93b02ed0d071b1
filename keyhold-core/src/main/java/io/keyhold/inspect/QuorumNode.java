package io.keyhold.inspect;

import java.time.Duration;
import java.util.Optional;

/**
 * A node of a quorum at one moment.
 *
 * @param address host and port, or the socket
 * @param quarantine for how long it does not vote, because it was restarted and may have lost what it granted; empty if it is
 *     not quarantined
 * @param error why it did not reply, if it did not
 */
public record QuorumNode(String address, Optional<Duration> quarantine, Optional<String> error) {

    /**
     * Returns whether it takes part in votes.
     *
     * @return whether it replied and is not quarantined
     */
    public boolean canVote() {
        return quarantine.isEmpty() && error.isEmpty();
    }
}
