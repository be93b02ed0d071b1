package io.keyhold.tests.stress;

import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** How long and how hard it storms. The same seed gives the same plan; what the machine makes of it differs. */
record StormSettings(Duration length, long seed) {

    /** No hold of the storm is longer than this without a renewal. */
    static final Duration LONGEST_LEASE = Duration.ofMillis(1500);

    static final int THREADS_PER_WORKER = 4;

    /** One worker process for each; a killed one is replaced by one of the same kind. */
    static final List<Setup> WORKERS = List.of(Setup.values());

    /** Few, so that they are fought for. */
    static final List<String> KEYS =
            IntStream.range(0, 3).mapToObj(i -> "stress:" + i).toList();

    /** From the system properties {@code keyhold.stress.seconds} and {@code keyhold.stress.seed}. */
    static StormSettings fromProperties() {
        return new StormSettings(
                Duration.ofSeconds(Long.getLong("keyhold.stress.seconds", 30)),
                Long.getLong("keyhold.stress.seed", System.nanoTime()));
    }
}
