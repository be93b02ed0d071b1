package io.keyhold.tests.contract.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Counts what is there by taking it: no permit may be lost, and none may be added. */
final class PermitCount {

    private PermitCount() {}

    /**
     * Takes so many permits, one by one, waiting for each in case something is on its way back yet, and finds that there is
     * not one more. Gives them back.
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
