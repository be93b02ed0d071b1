package io.keyhold.junit;

import static io.keyhold.junit.KeyholdAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The assertions hold, wait and fail as they say. */
@KeyholdTest
class KeyholdAssertTest {

    @Test
    void holderWaiterAndFreeKey(Keyhold one, Keyhold two) throws Exception {
        Lease lease = one.lock("invoice:42").acquire();
        CompletableFuture<Lease> next = two.lock("invoice:42").acquireAsync();
        assertThat(one).holds("invoice:42").isFree("invoice:43");
        assertThat(two).waits("invoice:42");

        lease.release();
        assertThat(two).holds("invoice:42");
        next.get(1, TimeUnit.MINUTES).release();
        assertThat(one).isFree("invoice:42");
    }

    @Test
    void permitsAndReadLocksAreHeld(Keyhold keyhold) throws Exception {
        Lease permit = keyhold.semaphore("gpu", 2).acquire();
        Lease read = keyhold.readWriteLock("catalog").readLock().acquire();
        assertThat(keyhold).holds("gpu").holds("catalog");
        permit.release();
        read.release();
        assertThat(keyhold).isFree("gpu").isFree("catalog");
    }

    @Test
    void failuresSayWhatIsThere(Keyhold one, Keyhold two) throws Exception {
        Lease lease = one.lock("invoice:42").acquire();
        KeyholdAssert now = assertThat(two).within(Duration.ZERO);
        assertThatThrownBy(() -> now.holds("invoice:42"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("the client must hold 'invoice:42', but it holds and waits for []")
                .hasMessageContaining(lease.token());
        assertThatThrownBy(() -> now.isFree("invoice:42"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("'invoice:42' must be free, but ");
        assertThatThrownBy(() -> now.waits("invoice:42"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("the client must wait for 'invoice:42', but ");
        assertThatThrownBy(() -> now.within(Duration.ofDays(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("wait must be from 0 to 1 day, was PT48H");
        assertThat(lease.isHeld()).isTrue();
    }
}
