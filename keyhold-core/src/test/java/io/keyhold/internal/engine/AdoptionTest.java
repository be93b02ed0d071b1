package io.keyhold.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import io.keyhold.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Holds that are handed off and adopted by token. */
class AdoptionTest {

    private static final LockOptions OPTIONS =
            LockOptions.builder().lease(Duration.ofSeconds(10)).build();

    private final EngineFixture fixture = new EngineFixture();

    private Lease adopt(String token) {
        return fixture.engine.adopt(EngineFixture.ask("a", OPTIONS), token);
    }

    @Test
    void holdOfAnotherTokenIsLost() {
        fixture.acquire("a", OPTIONS);
        assertThatThrownBy(() -> adopt("other"))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("does not hold it, but ");
    }

    @Test
    void freeLockIsLost() {
        assertThatThrownBy(() -> adopt("other"))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("the lock is free");
    }

    @Test
    void holdInQuarantineIsNotLost() {
        String token = fixture.acquire("a", OPTIONS).handOff();
        fixture.store.quarantine = Optional.of("the server was promoted");
        assertThatThrownBy(() -> adopt(token))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("'a'", "cannot be adopted now: the server was promoted");
        fixture.store.quarantine = Optional.empty();
        assertThat(adopt(token).isHeldOnServer()).isTrue();
    }
}
