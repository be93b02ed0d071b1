package io.keyhold.tests.stress;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.tests.Setup;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import redis.clients.jedis.Jedis;

/** One worker of a chaos run: a proxy to each server, and a process that can be replaced. */
final class WorkerSlot implements AutoCloseable {

    private final ChaosKind kind;
    private final int number;
    private final List<TcpProxy> lines;
    private final EmbeddedRedis ledger;
    private final long seed;
    private int generation;
    private ChildJvm worker;

    WorkerSlot(ChaosKind kind, int number, List<EmbeddedRedis> servers, EmbeddedRedis ledger, long seed) {
        this.kind = kind;
        this.number = number;
        this.ledger = ledger;
        this.seed = seed;
        this.lines = servers.stream()
                .map(server -> TcpProxy.to(server.host(), server.port()))
                .toList();
        this.worker = start();
    }

    ChildJvm worker() {
        return worker;
    }

    /** Returns the proxy to this server. */
    TcpProxy line(int server) {
        return lines.get(server);
    }

    /** Kills the process, forgets that its threads wait, and starts the next. Does not wait until that is ready. */
    void replace(Jedis redis) throws InterruptedException {
        worker.kill();
        String waitersOfTheDead = worker.name() + "/";
        for (String key : kind.keys()) {
            redis.hkeys(GuardedCounter.waiting(key)).stream()
                    .filter(waiter -> waiter.startsWith(waitersOfTheDead))
                    .forEach(waiter -> redis.hdel(GuardedCounter.waiting(key), waiter));
        }
        worker = start();
    }

    private ChildJvm start() {
        generation++;
        Setup setup = kind.workers().get(number);
        String uris = lines.stream().map(TcpProxy::uri).collect(Collectors.joining(","));
        String name = setup.name().toLowerCase(Locale.ROOT) + "-" + number + "-" + generation;
        ChaosWorker.Orders orders = new ChaosWorker.Orders(
                kind, setup, uris, ledger.host(), ledger.port(), name, seed + 1000L * generation);
        return ChildJvm.start(name, ChaosWorker.class, orders.written());
    }

    @Override
    public void close() {
        worker.close();
        lines.forEach(TcpProxy::close);
    }
}
