package io.keyhold.testkit.lock;

import io.keyhold.InMemorySpace;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.LockOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Inside one JVM. Outsiders are played by a client that takes tokens as they come. */
abstract class InMemoryStore implements StoreUnderTest {

    private final InMemorySpace space = InMemorySpace.create();

    @Override
    public KeyholdBuilder client() {
        return Keyhold.builder().inMemory(space);
    }

    @Override
    public void putForeign(String key, String value, @Nullable Duration expiry) {
        Keyhold outsider = client().build();
        outsider.inspect().forceRelease(key);
        LockOptions.Builder options = LockOptions.builder().token(value);
        options = expiry == null ? options.noExpiry() : options.lease(expiry);
        outsider.lock(key, options.build())
                .tryAcquireAsync()
                .join()
                .orElseThrow()
                .handOff();
        outsider.close();
    }

    @Override
    public void removeForeign(String key) {
        try (Keyhold outsider = client().build()) {
            outsider.inspect().forceRelease(key);
        }
    }
}
