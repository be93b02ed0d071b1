package io.keyhold.testkit.lock;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
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

    /** A key that no other test uses. */
    static String freshKey() {
        return "contract:" + UUID.randomUUID();
    }

    /** A lock on a key of its own. */
    static DistributedLock freshLock(Keyhold keyhold) {
        return keyhold.lock(freshKey());
    }

    /** A client that has its connections already, so that a thread that sleeps in a call of it waits for a lock. */
    static Keyhold warm(KeyholdBuilder builder) {
        Keyhold keyhold = builder.build();
        freshLock(keyhold).tryAcquire().orElseThrow().release();
        return keyhold;
    }
}
