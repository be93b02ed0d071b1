package io.keyhold.tests.contract.lock;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a contract needs to know of the place where the locks live. */
public interface StoreUnderTest {

    /** A client of that place. All clients that this answers during one test see the same locks. */
    KeyholdBuilder client();

    /** Puts a value into a lock's key from outside, as another library would; {@code expiry} null means none. */
    void putForeign(String key, String value, @Nullable Duration expiry);

    /** Removes a lock's key from outside. */
    void removeForeign(String key);

    /** How many nodes the quorum has, if it is one. */
    default int nodes() {
        return 0;
    }

    /** The lock under test on this key: {@link Keyhold#lock}, unless the contract is held over something else. */
    default DistributedLock lock(Keyhold keyhold, String key) {
        return keyhold.lock(key);
    }

    /** The same with options of its own. */
    default DistributedLock lock(Keyhold keyhold, String key, LockOptions options) {
        return keyhold.lock(key, options);
    }

    /** A lock on a key of its own. */
    default DistributedLock freshLock(Keyhold keyhold) {
        return lock(keyhold, freshKey());
    }

    /** A key that no other test uses. */
    static String freshKey() {
        return "contract:" + UUID.randomUUID();
    }

    /** A client that has its connections already, so that a thread that sleeps in a call of it waits for a lock. */
    static Keyhold warm(KeyholdBuilder builder) {
        Keyhold keyhold = builder.build();
        keyhold.lock(freshKey()).tryAcquire().orElseThrow().release();
        return keyhold;
    }
}
