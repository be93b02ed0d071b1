package io.keyhold.internal.engine.acquire;

import io.keyhold.internal.engine.lease.Validity;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.time.ClockReading;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * A grant that has arrived.
 *
 * @param validity returns for how long a lease of so many milliseconds is certain, once that is asked: by then more may be known of the
 *     server's clock. Empty if the clock of the server that made the grant is not known
 */
record DatedGrant(GrantNotice notice, LongFunction<Optional<Validity>> validity) {

    /** Dates a grant by the clock of the server that made it. */
    static DatedGrant by(ServerClock clock, GrantNotice notice) {
        return new DatedGrant(notice, leaseMillis -> clock.validity(notice.atMicros(), leaseMillis));
    }

    /** Dates a grant that was made after this moment. */
    static DatedGrant after(ClockReading before, GrantNotice notice) {
        return new DatedGrant(notice, leaseMillis -> Optional.of(new Validity(before, leaseMillis)));
    }
}
