package io.keyhold.tests.contract.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Counts the free permits by acquiring them: none may be lost, and none may be added. */
final class PermitCount {

    private PermitCount() {}

    /**
     * Acquires this many permits, one by one, and waits for each in case a release is still in flight. Asserts that there is no
     * other permit, and releases them.
     */
    static void assertFree(DistributedSemaphore semaphore, int permits) throws InterruptedException {
        List<Lease> taken = new ArrayList<>();
        for (int i = 0; i < permits; i++) {
            Optional<Lease> lease = semaphore.tryAcquire(Duration.ofSeconds(20));
            assertThat(lease).as("permit %s of %s", i + 1, permits).isPresent();
            taken.add(lease.orElseThrow());
        }
        assertThat(semaphore.tryAcquire()).as("one more than %s", permits).isEmpty();
        assertThat(taken).allMatch(Lease::isHeldOnServer).allMatch(Lease::release);
    }
}
