package io.keyhold.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.InMemorySpace;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.LockOptions;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Inside one JVM. A client with tokens of the caller simulates foreign holders. */
abstract class InMemoryStore implements StoreUnderTest {

    private final InMemorySpace space = InMemorySpace.create();
    private final Keyhold outsider = client().build();

    @Override
    public KeyholdBuilder client() {
        return Keyhold.builder().inMemory(space);
    }

    @AfterEach
    void closeOutsider() {
        outsider.close();
    }

    @Override
    public void putForeign(String key, String value, @Nullable Duration expiry) {
        removeForeign(key);
        LockOptions.Builder options = LockOptions.builder().token(value);
        options = expiry == null ? options.noExpiry() : options.lease(expiry);
        // Not handed off: a brief hold may end before the hand-off.
        assertThat(outsider.lock(key, options.build()).tryAcquireAsync().join()).isPresent();
    }

    @Override
    public void removeForeign(String key) {
        outsider.inspect().forceRelease(key);
    }
}
