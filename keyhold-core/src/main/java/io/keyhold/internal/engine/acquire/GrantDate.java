package io.keyhold.internal.engine.acquire;

import io.keyhold.internal.engine.lease.Validity;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.time.ClockReading;
import java.util.Optional;

/** Tells for how long a grant is certain, once that is asked: by then more may be known of the server's clock. */
interface GrantDate {

    /** Returns the validity of the grant; empty if the clock of the server that made it is not known. */
    Optional<Validity> validity(long leaseMillis);

    /** Dates a grant by the clock of the server that made it. */
    static GrantDate by(ServerClock clock, GrantNotice notice) {
        return leaseMillis -> clock.validity(notice.atMicros(), leaseMillis);
    }

    /** Dates a grant that was made after this moment. */
    static GrantDate after(ClockReading before) {
        return leaseMillis -> Optional.of(new Validity(before, leaseMillis));
    }
}
