package io.keyhold.testkit.driver;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Tells which threads were started since, and still run. */
final class ThreadWatch {

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    /** Their names. The JDK's own timer for stages is left out: it is one for the whole JVM, and stays. */
    Set<String> started() {
        Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
        now.removeAll(before);
        return now.stream()
                .map(Thread::getName)
                .filter(name -> !name.startsWith("CompletableFutureDelayScheduler"))
                .collect(Collectors.toSet());
    }
}
