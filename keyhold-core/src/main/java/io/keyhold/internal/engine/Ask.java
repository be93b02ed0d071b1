package io.keyhold.internal.engine;

import io.keyhold.LockOptions;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.store.AcquireRequest;
import java.time.Duration;

/**
 * What a user asks for.
 *
 * @param key the lock
 * @param options how to hold it
 * @param plan how to wait for it
 */
public record Ask(LockKey key, LockOptions options, WaitPlan plan) {

    long leaseMillis() {
        return options.lease().map(Duration::toMillis).orElse(AcquireRequest.NO_EXPIRY);
    }

    AcquireRequest request(String token, AcquireRequest.IfFree ifFree) {
        return new AcquireRequest(key.stored(), token, leaseMillis(), ifFree);
    }
}
