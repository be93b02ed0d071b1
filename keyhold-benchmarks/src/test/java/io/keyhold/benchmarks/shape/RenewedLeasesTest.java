package io.keyhold.benchmarks.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.benchmarks.RedisServers;
import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
class RenewedLeasesTest {
    private static final int LEASES = 20;
    private static final Duration SHORT = Duration.ofSeconds(3);
    /** So long that renewals are in time even if the machine stands still for ten seconds. */
    private static final Duration KEPT = Duration.ofSeconds(24);

    @TempDir
    private Path temporary;

    @Test
    void renewedLeasesAreKept() throws InterruptedException {
        Measurement measurement = measure(Contender.KEYHOLD_JEDIS, KEPT, KEPT.dividedBy(2));
        assertThat(measurement.faults()).as("leases lost").isZero();
        assertThat(measurement.value()).as("commands per second").isPositive();
        assertThat(measurement.footprint()).hasValueSatisfying(footprint -> {
            assertThat(footprint.cores()).isNotNegative();
            assertThat(footprint.heapPerLease()).isPositive();
        });
    }

    /** Looks for the keys of another contender, which do not exist. */
    @Test
    void missingKeysAreLostLeases() throws InterruptedException {
        assertThat(measure(Contender.SPRING_SPIN, SHORT, Duration.ZERO).faults())
                .isEqualTo(LEASES);
    }

    private Measurement measure(Contender expected, Duration lease, Duration time) throws InterruptedException {
        RenewedLeases shape = new RenewedLeases("test", LEASES, lease, true);
        try (RedisServers servers = RedisServers.start(1);
                WorkerProcess process = WorkerProcess.start(temporary.resolve("worker.log"))) {
            process.send("open keyhold-jedis " + servers.uris().get(0) + " " + lease.toMillis());
            process.await("ready");
            return shape.measure(new Workers(expected, servers, List.of(process)), time);
        }
    }
}
