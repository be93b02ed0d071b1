package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.Target;

/** The shapes that are loops. */
final class LoopShapes {
    private static final String COST = " Latency is that of acquire and release together.";
    private static final String WAIT = " Latency is the wait for it.";
    private static final int PERMITS = 3;
    private static final int KEYS = 3;

    private LoopShapes() {}

    static Shape ownKeys(int threads) {
        return threads == 1
                ? own("own-1", 1, "One thread, its own key", "The cost of a lock without contention.", Target.LOCK)
                : own(
                        "own-" + threads,
                        threads,
                        threads + " threads, each its own key",
                        "A busy service whose threads use different locks.",
                        Target.LOCK);
    }

    static Shape threeKeys(int threads) {
        return own(
                "three-keys-" + threads,
                threads,
                threads == 1
                        ? "Three free keys at once, one thread"
                        : "Three free keys at once, " + threads + " threads, each its own",
                "Three locks without contention are acquired as one, and released.",
                Target.allOf(KEYS));
    }

    static Shape quorumOwnKey() {
        return own(
                "quorum-own-1",
                1,
                "Own key on five servers, one thread",
                "The cost of a lock on five independent servers without contention.",
                Target.QUORUM_LOCK);
    }

    static Shape replicatedOwnKeys(int threads) {
        return own(
                "durable-" + threads,
                threads,
                threads == 1
                        ? "Own key on a master with two replicas, one thread"
                        : "Own keys on a master with two replicas, " + threads + " threads",
                "The cost of grants that a replica has acknowledged, beside those of the master alone.",
                Target.REPLICATED_LOCK);
    }

    static Shape oneKey(int threads, int jvms) {
        String id = threads == 50 ? "waiters-" + threads * jvms : "one-key-" + suffix(threads, jvms);
        return contended(
                id, threads, jvms, "One key", "All threads compete for one lock, all the time." + WAIT, Target.LOCK);
    }

    static Shape quorumOneKey(int threads, int jvms) {
        return contended(
                "quorum-" + suffix(threads, jvms),
                threads,
                jvms,
                "One key on five servers",
                "All threads compete for one lock on five independent servers, all the time." + WAIT,
                Target.QUORUM_LOCK);
    }

    static Shape semaphore(int threads, int jvms) {
        return contended(
                "semaphore-" + suffix(threads, jvms),
                threads,
                jvms,
                "Semaphore with " + PERMITS + " permits",
                "All threads compete for a permit, all the time." + WAIT
                        + " Keyhold's queue is FIFO and its permits are"
                        + " renewed leases. Redisson's semaphores have no queue; RSemaphore has no lease, and the other"
                        + " does not renew it.",
                Target.semaphore(PERMITS));
    }

    static Shape readWrite(int percentReads, int threads, int jvms) {
        return contended(
                "read-" + percentReads + "-" + suffix(threads, jvms),
                threads,
                jvms,
                "Read/write lock, " + percentReads + " % reads",
                "Each thread reads or writes, all the time, in the same random order for all contenders. Latency is"
                        + " the wait of readers and writers together. Keyhold's queue is FIFO; Redisson's lock has no"
                        + " queue.",
                Target.readWrite(percentReads));
    }

    private static Shape own(String id, int threads, String title, String description, Target target) {
        LoopPlan plan = new LoopPlan(threads, LoopPlan.Keys.OWN, LoopPlan.Timed.ACQUIRE_AND_RELEASE, target);
        return new LoopShape(id, title, description + COST, 1, plan);
    }

    private static Shape contended(String id, int threads, int jvms, String title, String description, Target target) {
        String where = jvms == 1 ? threads + " threads of one JVM" : threads + " threads in each of " + jvms + " JVMs";
        LoopPlan plan = new LoopPlan(threads, LoopPlan.Keys.ONE, LoopPlan.Timed.ACQUIRE, target);
        return new LoopShape(id, title + ", " + where, description, jvms, plan);
    }

    private static String suffix(int threads, int jvms) {
        return jvms == 1 ? String.valueOf(threads) : threads + "x" + jvms;
    }
}
