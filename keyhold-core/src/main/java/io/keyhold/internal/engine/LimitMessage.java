package io.keyhold.internal.engine;

import io.keyhold.SemaphoreLimitException;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;

/** What to tell a user whose semaphore has another number of permits at the store. */
final class LimitMessage {

    private LimitMessage() {}

    static SemaphoreLimitException of(Subject subject, int limit) {
        if (limit == Limit.READ_WRITE) {
            return readWrite(subject.text());
        }
        Claim.Permits claim = (Claim.Permits) subject.claim();
        return new SemaphoreLimitException(subject + reason(claim, limit), limit);
    }

    /** For a semaphore under whose key stands something else. */
    static SemaphoreLimitException readWrite(String text) {
        return new SemaphoreLimitException(
                text + " cannot be used: the key is in use as a read/write lock", Limit.READ_WRITE);
    }

    private static String reason(Claim.Permits claim, int limit) {
        int said = claim.limit().permits();
        if (said == Limit.READ_WRITE) {
            return " cannot be used: the key is in use as a semaphore of " + limit + " permits";
        }
        if (claim.permits() > limit) {
            return " has " + limit + " permits, and " + claim.permits() + " of them were asked for";
        }
        return " has " + limit + " permits, and this client says " + said + "; resize(" + said
                + ") changes that for all, and joinExisting() goes by what is there";
    }
}
