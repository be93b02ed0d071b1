package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.RedisServer;
import io.keyhold.benchmarks.RedisServers;
import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The JVMs of one contender in one shape, each with a client of its own. They live for all rounds of that shape. */
public final class Team implements AutoCloseable {
    private static final AtomicInteger KEYS = new AtomicInteger();

    private final Entrant entrant;
    private final RedisServers servers;
    private final List<WorkerProcess> workers;

    /** The workers have opened their clients. */
    public Team(Entrant entrant, RedisServers servers, List<WorkerProcess> workers) {
        this.entrant = entrant;
        this.servers = servers;
        this.workers = List.copyOf(workers);
    }

    Entrant entrant() {
        return entrant;
    }

    RedisServers servers() {
        return servers;
    }

    List<WorkerProcess> workers() {
        return workers;
    }

    /** Gives all the same order, and then waits for all answers. */
    void all(String order, String answer) throws InterruptedException {
        all(workers, order, answer);
    }

    static void all(List<WorkerProcess> workers, String order, String answer) throws InterruptedException {
        workers.forEach(worker -> worker.order(order));
        for (WorkerProcess worker : workers) {
            worker.await(answer);
        }
    }

    /** A key that was never used: an interrupted waiter of an earlier round may have left something on the old one. */
    String freshKey() {
        return RedisServer.KEY_PREFIX + entrant.id() + ":" + KEYS.incrementAndGet();
    }

    /** A key that only this contender has, in all rounds. */
    String lastingKey(String name) {
        return RedisServer.KEY_PREFIX + entrant.id() + ":" + name;
    }

    @Override
    public void close() {
        workers.forEach(WorkerProcess::close);
    }
}
