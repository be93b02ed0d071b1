package io.keyhold.tests.contract.lock;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a contract needs to know of the store under test. */
public interface StoreUnderTest {

    /** Returns a builder for a client. All clients of one test see the same locks. */
    KeyholdBuilder client();

    /** Puts a value into a lock's key from outside, as another library would; {@code expiry} null means none. */
    void putForeign(String key, String value, @Nullable Duration expiry);

    /** Removes a lock's key from outside. */
    void removeForeign(String key);

    /** Returns the number of nodes of a quorum, or 0. */
    default int nodes() {
        return 0;
    }

    /** Returns the lock under test on this key: {@link Keyhold#lock}, or what a test class runs the contract on instead. */
    default DistributedLock lock(Keyhold keyhold, String key) {
        return keyhold.lock(key);
    }

    /** Returns the lock under test, with its own options. */
    default DistributedLock lock(Keyhold keyhold, String key, LockOptions options) {
        return keyhold.lock(key, options);
    }

    /** Returns a lock on a key that no other test uses. */
    default DistributedLock freshLock(Keyhold keyhold) {
        return lock(keyhold, freshKey());
    }

    /** Returns a key that no other test uses. */
    static String freshKey() {
        return "contract:" + UUID.randomUUID();
    }

    /**
     * Returns a client that is connected, so that a thread that sleeps in one of its calls waits for a lock. The listing visits all servers of a
     * cluster: netty ignores an interrupt that meets the start of its timer, with the first connection.
     */
    static Keyhold warm(KeyholdBuilder builder) {
        Keyhold keyhold = builder.build();
        keyhold.lock(freshKey()).tryAcquire().orElseThrow().release();
        keyhold.inspect().list(freshKey());
        return keyhold;
    }
}
