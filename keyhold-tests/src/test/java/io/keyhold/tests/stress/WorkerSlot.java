package io.keyhold.tests.stress;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.Locale;
import redis.clients.jedis.Jedis;

/** The place of one worker in the storm: a line to the server that can be cut, and a process that can be replaced. */
final class WorkerSlot implements AutoCloseable {

    private final StormKind kind;
    private final int number;
    private final EmbeddedRedis server;
    private final TcpProxy line;
    private final long seed;
    private int generation;
    private ChildJvm worker;

    WorkerSlot(StormKind kind, int number, EmbeddedRedis server, long seed) {
        this.kind = kind;
        this.number = number;
        this.server = server;
        this.seed = seed;
        this.line = TcpProxy.to(server.host(), server.port());
        this.worker = start();
    }

    ChildJvm worker() {
        return worker;
    }

    void awaitReady() throws InterruptedException {
        worker.await("ready");
    }

    void cut() {
        line.cut();
    }

    /** Requests arrive late: also releases and renewals, after their lease has ended. */
    void slowRequests(Duration delay) {
        line.delayRequests(delay);
    }

    /** Replies arrive late: also grants, after their lease has ended. */
    void slowReplies(Duration delay) {
        line.delayReplies(delay);
    }

    void fast() {
        line.heal();
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
        String name = setup.name().toLowerCase(Locale.ROOT) + "-" + number + "-" + generation;
        StormWorker.Orders orders = new StormWorker.Orders(
                kind, setup, line.uri(), server.host(), server.port(), name, seed + 1000L * generation);
        return ChildJvm.start(name, StormWorker.class, orders.written());
    }

    @Override
    public void close() {
        worker.close();
        line.close();
    }
}
