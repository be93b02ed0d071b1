package io.keyhold.tests.stress;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.QuorumOptions;
import io.keyhold.tests.Setup;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import redis.clients.jedis.Transaction;

/** The kind of lock of a chaos run. */
@SuppressWarnings("ImmutableEnumChecker") // Its lists are copies, and its functions constructors.
enum ChaosKind {
    LOCKS(3, List.of(Setup.values()), LockWorkload::new, KeyProbe::ofLock),
    ALL_OF(5, inLine(), AllOfWorkload::new, KeyProbe::ofLock),
    SEMAPHORE(2, inLine(), SemaphoreWorkload::new, KeyProbe::ofSemaphore),
    READ_WRITE(2, inLine(), ReadWriteWorkload::new, KeyProbe::ofReadWriteLock),
    /** On several servers, which fail as well. */
    QUORUM(2, inLine().subList(0, 3), QuorumWorkload::new, KeyProbe::ofLock) {
        @Override
        KeyholdBuilder client(Setup setup, String uris) {
            return Keyhold.builder()
                    .quorum(
                            Stream.of(uris.split(",", -1))
                                    .map(uri -> uri + "?driver=" + setup.driver())
                                    .toList(),
                            QuorumOptions.builder()
                                    .longestLease(QuorumRun.LONGEST_LEASE)
                                    .nodeTimeout(QuorumRun.NODE_TIMEOUT)
                                    .build());
        }
    };

    private final List<String> keys;
    private final List<Setup> workers;
    private final BiFunction<ChaosKind, ChaosWorkload.WorkerContext, ChaosWorkload> workload;
    private final BiFunction<Transaction, String, KeyProbe> probe;

    ChaosKind(
            int keys,
            List<Setup> workers,
            BiFunction<ChaosKind, ChaosWorkload.WorkerContext, ChaosWorkload> workload,
            BiFunction<Transaction, String, KeyProbe> probe) {
        this.keys = IntStream.range(0, keys).mapToObj(i -> "stress:" + i).toList();
        this.workers = workers;
        this.workload = workload;
        this.probe = probe;
    }

    /** Clients that wait in the queue: each of them makes progress, which a client that polls may not. */
    private static List<Setup> inLine() {
        return List.of(Setup.JEDIS_SCRIPTS, Setup.LETTUCE_SCRIPTS, Setup.JEDIS_SCRIPTS, Setup.LETTUCE_SCRIPTS);
    }

    /** Few, so that they are contended. */
    List<String> keys() {
        return keys;
    }

    /** One worker process for each; a killed one is replaced by one of the same kind. */
    List<Setup> workers() {
        return workers;
    }

    /** A client of a worker. */
    KeyholdBuilder client(Setup setup, String uri) {
        return setup.client(uri);
    }

    ChaosWorkload workload(ChaosWorkload.WorkerContext context) {
        return workload.apply(this, context);
    }

    /** As part of a transaction. */
    KeyProbe sample(Transaction transaction, String key) {
        return probe.apply(transaction, key);
    }
}
