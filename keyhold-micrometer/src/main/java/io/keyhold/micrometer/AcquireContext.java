package io.keyhold.micrometer;

import io.keyhold.KeyholdListener.Granted;
import io.keyhold.KeyholdListener.NotGranted;
import io.keyhold.KeyholdListener.Request;
import io.micrometer.observation.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known of a request while it is observed. */
public final class AcquireContext extends Observation.Context {

    private final Request request;
    private volatile @Nullable Granted granted;
    private volatile @Nullable NotGranted notGranted;

    AcquireContext(Request request) {
        this.request = request;
    }

    /**
     * Returns the request.
     *
     * @return the request
     */
    public Request request() {
        return request;
    }

    /**
     * Returns the grant.
     *
     * @return how it was granted; empty before the end, and if it was not
     */
    public Optional<Granted> granted() {
        return Optional.ofNullable(granted);
    }

    /**
     * Returns the end without a grant.
     *
     * @return why it was not granted; empty before the end, and if it was
     */
    public Optional<NotGranted> notGranted() {
        return Optional.ofNullable(notGranted);
    }

    void granted(Granted event) {
        granted = event;
    }

    void notGranted(NotGranted event) {
        notGranted = event;
    }
}
