package io.keyhold.tests.stress;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.Keyhold;
import io.keyhold.LeaseLostException;
import io.keyhold.QuorumOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.testkit.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import redis.clients.jedis.Jedis;

/**
 * A chaos run on a quorum of five servers, which die, stop, lose their data and are cut off. One or two at a time: work must
 * continue. Three: it must stop, with an error that names each server, and resume by itself. Any number: only exclusion must hold.
 */
final class QuorumRun extends ChaosRun {

    /** A little longer than the longest lease of the workers. */
    static final Duration LONGEST_LEASE = ChaosSettings.LONGEST_LEASE.plusMillis(200);

    /** More than a busy machine needs for a reply, most of the time. */
    static final Duration NODE_TIMEOUT = Duration.ofMillis(100);

    private static final int SERVERS = 5;
    private static final int PROGRESS = 10;
    private static final int ATTEMPTS = 20;

    private final List<EmbeddedRedis> servers =
            Stream.generate(EmbeddedRedis::start).limit(SERVERS).toList();
    private final EmbeddedRedis ledgerServer;
    private final Keyhold operator;
    private final Map<String, Integer> story = new TreeMap<>();
    private final List<String> waits = new ArrayList<>();

    QuorumRun(ChaosSettings settings) {
        this(settings, EmbeddedRedis.start());
    }

    private QuorumRun(ChaosSettings settings, EmbeddedRedis ledgerServer) {
        super(settings, ledgerServer);
        this.ledgerServer = ledgerServer;
        this.operator = Keyhold.builder()
                .quorum(
                        servers.stream().map(EmbeddedRedis::uri).toList(),
                        QuorumOptions.builder()
                                .admitFreshNodes(true)
                                .longestLease(LONGEST_LEASE)
                                .nodeTimeout(Duration.ofSeconds(1))
                                .build())
                .clientName("operator")
                .build();
    }

    @Override
    String statistics() {
        return story + "; " + String.join(", ", waits);
    }

    @Override
    boolean wasEnough() {
        return story.containsKey("one or two") && story.containsKey("majority") && story.containsKey("any");
    }

    @Override
    void cause() throws InterruptedException {
        // The servers are new. Workers do not admit nodes: a worker that is started later must not admit a node
        // that has lost its data.
        await("the operator can acquire a lock", () -> canBeAcquired("admission"));
        await("all servers can vote", this::allVote);
        startWorkers(servers, ledgerServer);
        awaitProgress("at the beginning");
        long end = System.nanoTime() + settings.length().toNanos();
        for (int spell = 0; findings.isEmpty() && (spell < 3 || System.nanoTime() < end); spell++) {
            switch (spell % 3) {
                case 0 -> withoutOneOrTwo();
                case 1 -> anything();
                default -> withoutAMajority();
            }
        }
    }

    /** Work continues while they are down, however long that is. */
    private void withoutOneOrTwo() throws InterruptedException {
        count("one or two");
        List<Integer> away = some(1 + random.nextInt(2));
        Map<Integer, NodeFault> faults = new TreeMap<>();
        for (int server : away) {
            faults.put(server, NodeFault.any(random));
        }
        faults.forEach(this::begin);
        awaitProgress("with " + faults);
        faults.forEach(this::end);
        await("all servers can vote after " + faults, this::allVote);
    }

    /** Nothing can be acquired, the error names each server, and work resumes by itself when they are back. */
    private void withoutAMajority() throws InterruptedException {
        count("majority");
        NodeFault fault = random.nextBoolean() ? NodeFault.DIES : NodeFault.STANDS_STILL;
        List<Integer> away = some(3 + random.nextInt(SERVERS - 2));
        away.forEach(server -> begin(server, fault));
        await("work stops without " + away, this::isAtAStandstill);
        expectAClearError(away, fault);
        away.forEach(server -> end(server, fault));
        awaitProgress("after " + away + " came back");
        await("all servers can vote after " + away, this::allVote);
    }

    /** Current holders may finish; then no more work is done, however often the workers try. */
    private boolean isAtAStandstill() {
        long before = statistic("increments");
        long attempts = statistic("unavailable");
        long timeLimit = System.nanoTime() + TIME_LIMIT.toNanos();
        while (statistic("unavailable") < attempts + ATTEMPTS) {
            if (System.nanoTime() - timeLimit > 0) {
                return false;
            }
            pause(5);
        }
        return statistic("increments") == before;
    }

    private void expectAClearError(List<Integer> away, NodeFault fault) {
        try {
            operator.lock("free-lock")
                    .with(options -> options.lease(Duration.ofSeconds(1)))
                    .run(() -> findings.add("a lock was acquired without " + away));
        } catch (StoreUnavailableException | StoreRefusedException clear) {
            String message = String.valueOf(clear.getMessage());
            for (EmbeddedRedis server : servers) {
                if (!message.contains("127.0.0.1:" + server.port())) {
                    findings.add(
                            "the error without " + away + " (" + fault + ") does not name each server: " + message);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Faults of any number of servers, and of workers too. */
    private void anything() throws InterruptedException {
        count("any");
        // A majority loses its data while locks are held.
        for (int round = 0; round < 3; round++) {
            some(3 + random.nextInt(SERVERS - 2)).forEach(server -> begin(server, NodeFault.FORGETS));
            pause(random.nextInt(100));
        }
        Map<Integer, NodeFault> faults = new TreeMap<>();
        for (int step = 0; step < 12; step++) {
            int server = random.nextInt(SERVERS);
            NodeFault begun = faults.remove(server);
            if (begun != null) {
                end(server, begun);
            } else {
                NodeFault fault = NodeFault.any(random);
                faults.put(server, fault);
                begin(server, fault);
            }
            pause(random.nextInt(150));
        }
        WorkerSlot slot = anySlot();
        if (random.nextInt(4) == 0) {
            count("workers killed");
            slot.replace(ledger);
        } else {
            count("workers stopped");
            ProcessSignals.stop(slot.worker());
            pause(LONGEST_LEASE.toMillis());
            ProcessSignals.resume(slot.worker());
        }
        faults.forEach(this::end);
        awaitProgress("after everything");
        await("all servers can vote after everything", this::allVote);
    }

    private void begin(int server, NodeFault fault) {
        count(fault.name());
        fault.begin(servers.get(server), lines(server));
    }

    private void end(int server, NodeFault fault) {
        fault.end(servers.get(server), lines(server));
    }

    private List<TcpProxy> lines(int server) {
        return slots.stream().map(slot -> slot.line(server)).toList();
    }

    private List<Integer> some(int count) {
        List<Integer> all = new ArrayList<>(IntStream.range(0, SERVERS).boxed().toList());
        Collections.shuffle(all, random);
        return List.copyOf(all.subList(0, count));
    }

    private void count(String what) {
        story.merge(what, 1, Integer::sum);
    }

    /** Leases are so short here that servers or this process may have stalled for longer: that is no fault of the lock. */
    private boolean canBeAcquired(String key) {
        try {
            operator.lock(key)
                    .with(options -> options.lease(LONGEST_LEASE).maxWait(TIME_LIMIT))
                    .run(() -> {});
            return true;
        } catch (StoreUnavailableException | StoreRefusedException | LeaseLostException | AcquireTimeoutException e) {
            waits.add(key + " was not acquired: " + e.getMessage());
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean allVote() {
        return operator.inspect().quorum().orElseThrow().nodes().stream().allMatch(QuorumNode::canVote);
    }

    private void awaitProgress(String when) {
        long before = statistic("increments");
        await("work continues " + when, () -> statistic("increments") >= before + PROGRESS);
    }

    private void await(String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > TIME_LIMIT.toNanos()) {
                findings.add("not within " + TIME_LIMIT + ": " + what);
                return;
            }
            pause(5);
        }
        waits.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms until " + what);
    }

    private long statistic(String what) {
        String value = ledger.hget(GuardedCounter.STATISTICS, what);
        return value == null ? 0 : Long.parseLong(value);
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Each lock can be acquired, and then no server knows of a holder. */
    @Override
    void inspectRemains() {
        for (String key : ChaosKind.QUORUM.keys()) {
            await(key + " can be acquired", () -> canBeAcquired(key));
            await(
                    "every server forgets the holders of " + key,
                    () -> servers.stream().noneMatch(server -> {
                        try (Jedis node = new Jedis(server.host(), server.port(), 20_000)) {
                            return node.exists(key);
                        }
                    }));
        }
    }

    @Override
    public void close() {
        super.close();
        operator.close();
        servers.forEach(EmbeddedRedis::close);
        ledgerServer.close();
    }
}
