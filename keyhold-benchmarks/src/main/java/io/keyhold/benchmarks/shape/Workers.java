package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.RedisServer;
import io.keyhold.benchmarks.RedisServers;
import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The JVMs of one contender in one shape, each with its own client. They live for all rounds of that shape. */
public final class Workers implements AutoCloseable {
    private static final AtomicInteger KEYS = new AtomicInteger();

    private final Contender contender;
    private final RedisServers servers;
    private final List<WorkerProcess> processes;

    /** The processes have opened their clients. */
    public Workers(Contender contender, RedisServers servers, List<WorkerProcess> processes) {
        this.contender = contender;
        this.servers = servers;
        this.processes = List.copyOf(processes);
    }

    /** Returns whose JVMs they are. */
    public Contender contender() {
        return contender;
    }

    RedisServers servers() {
        return servers;
    }

    List<WorkerProcess> all() {
        return processes;
    }

    WorkerProcess get(int number) {
        return processes.get(number);
    }

    /** Sends the command to all processes, and then waits for all replies. */
    static void callAll(List<WorkerProcess> processes, String command, String reply) throws InterruptedException {
        processes.forEach(process -> process.send(command));
        for (WorkerProcess process : processes) {
            process.await(reply);
        }
    }

    /** Returns a key that was never used: an interrupted waiter of an earlier round may still have an entry in a queue. */
    String freshKey() {
        return RedisServer.KEY_PREFIX + contender.id() + ":" + KEYS.incrementAndGet();
    }

    /** Returns the key of this name that the contender uses in all rounds. */
    String lastingKey(String name) {
        return RedisServer.KEY_PREFIX + contender.id() + ":" + name;
    }

    @Override
    public void close() {
        processes.forEach(WorkerProcess::close);
    }
}
