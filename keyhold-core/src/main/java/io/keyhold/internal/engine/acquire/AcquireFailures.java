package io.keyhold.internal.engine.acquire;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.KeyholdException;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.WrongKindException;
import io.keyhold.inspect.LockKind;
import io.keyhold.internal.Formats;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.Snapshots;
import io.keyhold.internal.store.StoreFailure;
import java.time.Duration;
import java.util.Optional;

/** The exceptions of a request that was not granted, with what was waited for, for how long, and the holder. */
public final class AcquireFailures {

    private AcquireFailures() {}

    static AcquireTimeoutException timeout(AcquireSpec spec, Duration waited, int attempts, AcquireReply.Busy reply) {
        String times = attempts == 1 ? "1 attempt" : attempts + " attempts";
        String holder = reply.holder()
                .map(value -> heldBy(spec.subject().claim()) + Formats.token(value))
                .orElse("not granted in time");
        String end = reply.holder().isPresent() && reply.remainingMillis().isPresent()
                ? ", whose lease ends in "
                        + Formats.duration(
                                Duration.ofMillis(reply.remainingMillis().getAsLong()))
                        + " unless it is renewed"
                : "";
        return new AcquireTimeoutException(
                spec.subject() + " was not acquired within " + Formats.duration(waited) + " and " + times + ": "
                        + holder
                        + end
                        + reply.detail().map(more -> " (" + more + ")").orElse(""),
                attempts);
    }

    private static String heldBy(Claim claim) {
        return claim instanceof Claim.Permits ? "not enough permits available; next to expire is held by " : "held by ";
    }

    /** Returns the exception of a request that the client itself has held back until its deadline. */
    static StoreUnavailableException notSent(AcquireSpec spec) {
        return new StoreUnavailableException(
                "cannot acquire " + spec.subject()
                        + ": its deadline ended before the request was sent, because too many"
                        + " requests of this client are in flight",
                false,
                null);
    }

    /** Returns the exception of a request for permits of a semaphore that has another number of permits on the server. */
    public static KeyholdException otherLimit(Subject subject, int limit) {
        Claim.Permits claim = (Claim.Permits) subject.claim();
        int configured = claim.limit().permits();
        if (limit == Limit.READ_WRITE || configured == Limit.READ_WRITE) {
            return wrongKind("acquire " + subject, Snapshots.kind(limit));
        }
        String reason = claim.permits() > limit
                ? " permits, but " + claim.permits() + " were requested"
                : " permits but this client is configured for " + configured + "; use joinExisting() to accept " + limit
                        + ", or resize(" + configured + ") to change it for all clients";
        return new SemaphoreLimitException(subject + " has " + limit + reason, limit);
    }

    /** Returns the exception of a key that is in use as another kind. */
    public static WrongKindException wrongKind(String task, LockKind found) {
        return new WrongKindException("cannot " + task + ": " + StoreFailure.inUseAs(found), Optional.of(found), null);
    }
}
