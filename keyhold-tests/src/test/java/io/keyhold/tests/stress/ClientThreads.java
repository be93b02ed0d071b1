package io.keyhold.tests.stress;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The threads that were started since, other than those which the JVM shares among all its libraries. */
final class ClientThreads {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    /** Their names. */
    List<String> names() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> !name.startsWith("ForkJoinPool") && !name.startsWith("CompletableFutureDelayScheduler"))
                .sorted()
                .toList();
    }

    /** Returns when there are no more than these; those that only sent requests may take a while to end. */
    void awaitNoMoreThan(List<String> expected) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (names().size() > expected.size()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("threads " + names() + " instead of " + expected);
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
