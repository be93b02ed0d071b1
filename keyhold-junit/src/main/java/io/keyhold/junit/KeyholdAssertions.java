package io.keyhold.junit;

import io.keyhold.Keyhold;
import java.time.Duration;
import java.util.Objects;

/** The entry point to assertions about locks. */
public final class KeyholdAssertions {

    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(10);

    private KeyholdAssertions() {}

    /**
     * Begins assertions about a client.
     *
     * <pre>{@code
     * assertThat(keyhold).holds("invoice:42");
     * assertThat(otherProcess).waits("invoice:42");
     * }</pre>
     *
     * <p>What is asserted may become true on other threads: an assertion waits for it, for up to 10 seconds unless
     * {@link KeyholdAssert#within} says otherwise.
     *
     * @param keyhold the client
     * @return the assertions
     */
    public static KeyholdAssert assertThat(Keyhold keyhold) {
        return new KeyholdAssert(Objects.requireNonNull(keyhold, "keyhold must not be null"), DEFAULT_WAIT);
    }
}
