package io.keyhold.tests.stress;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.tests.Setup;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The place of one worker in a storm on a quorum: a line to each server, and a process that can be replaced. */
final class QuorumSlot implements AutoCloseable {

    private final int number;
    private final List<TcpProxy> lines;
    private final EmbeddedRedis ledger;
    private final long seed;
    private int generation;
    private ChildJvm worker;

    QuorumSlot(int number, List<EmbeddedRedis> servers, EmbeddedRedis ledger, long seed) {
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

    /** To this server. */
    TcpProxy line(int server) {
        return lines.get(server);
    }

    /** Kills the process and starts the next. Does not wait until that is ready. */
    void replace() throws InterruptedException {
        worker.kill();
        worker = start();
    }

    private ChildJvm start() {
        generation++;
        Setup setup = StormKind.QUORUM.workers().get(number);
        String driver = setup.name().toLowerCase(Locale.ROOT).replaceAll("_.*", "");
        String uris =
                lines.stream().map(line -> line.uri() + "?driver=" + driver).collect(Collectors.joining(","));
        String name = driver + "-" + number + "-" + generation;
        StormWorker.Orders orders = new StormWorker.Orders(
                StormKind.QUORUM, setup, uris, ledger.host(), ledger.port(), name, seed + 1000L * generation);
        return ChildJvm.start(name, StormWorker.class, orders.written());
    }

    @Override
    public void close() {
        worker.close();
        lines.forEach(TcpProxy::close);
    }
}
