package io.keyhold.micrometer;

import io.keyhold.KeyholdListener.Ended;
import io.keyhold.KeyholdListener.Granted;
import io.micrometer.observation.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known of a hold while it is observed. */
public final class HoldContext extends Observation.Context {

    private final Granted granted;
    private volatile @Nullable Ended ended;

    HoldContext(Granted granted) {
        this.granted = granted;
    }

    /**
     * Returns the grant that the hold began with.
     *
     * @return the grant
     */
    public Granted granted() {
        return granted;
    }

    /**
     * Returns the end of the hold.
     *
     * @return how it ended; empty before
     */
    public Optional<Ended> ended() {
        return Optional.ofNullable(ended);
    }

    void ended(Ended event) {
        ended = event;
    }
}
