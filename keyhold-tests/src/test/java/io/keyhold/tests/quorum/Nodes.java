package io.keyhold.tests.quorum;

import static io.keyhold.testkit.driver.DriverUnderTest.patient;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.QuorumOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedRedisBuilder;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.tests.Console;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Independent servers, and clients of all of them together. */
final class Nodes implements AutoCloseable {

    /** Of tests that are not about slow nodes: on a busy machine any of them is slow now and then. */
    static final Duration PATIENT = Duration.ofSeconds(5);

    /** Of tests that wait until a node that stands still has been given up. */
    static final Duration HASTY = Duration.ofSeconds(2);

    /** Of tests that do not wait until a lease is over: longer than any pause of a busy machine. */
    static final Duration LONGEST_LEASE = Duration.ofMinutes(1);

    /** Of tests that do: longer than most pauses. */
    static final Duration SOON_OVER = Duration.ofSeconds(6);

    /** For clients that take their time, and take nodes for new when they first meet them. */
    static final QuorumOptions PATIENTLY = QuorumOptions.builder()
            .admitFreshNodes(true)
            .nodeTimeout(PATIENT)
            .longestLease(LONGEST_LEASE)
            .build();

    private final List<EmbeddedRedis> servers = new ArrayList<>();

    private Nodes() {}

    /** So many, which forget everything when they are restarted. */
    static Nodes start(int count) {
        return start(count, EmbeddedRedis.builder());
    }

    /** So many of this kind. */
    static Nodes start(int count, EmbeddedRedisBuilder kind) {
        Nodes nodes = new Nodes();
        try {
            for (int i = 0; i < count; i++) {
                nodes.servers.add(kind.start());
            }
            return nodes;
        } catch (RuntimeException e) {
            nodes.close();
            throw e;
        }
    }

    /**
     * Lets all of them vote, by a client that knows that they are new. Clients of tests whose nodes forget must not know it: one that
     * has not heard of a node before it forgets takes it for new.
     */
    void admit() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            keyhold.lock("admission").run(() -> {});
            await(() ->
                    keyhold.inspect().quorum().orElseThrow().nodes().stream().allMatch(QuorumNode::canVote));
        }
    }

    /** A client of all of them that takes its time, and takes them for new when it first meets them. */
    KeyholdBuilder client() {
        return client(options -> options);
    }

    /** One with some options changed. */
    KeyholdBuilder client(UnaryOperator<QuorumOptions.Builder> change) {
        QuorumOptions options = change.apply(PATIENTLY.toBuilder()).build();
        return Keyhold.builder().quorum(List.of(uris()), options);
    }

    /** One that does not wait that long, but longer than a busy machine takes for an answer. */
    KeyholdBuilder hasty() {
        return client(options -> options.nodeTimeout(HASTY));
    }

    String[] uris() {
        return servers.stream().map(server -> patient(server.uri())).toArray(String[]::new);
    }

    EmbeddedRedis server(int index) {
        return servers.get(index);
    }

    /** As it stands in messages. */
    String address(int index) {
        return "127.0.0.1:" + server(index).port();
    }

    /** What one node answers to an operator. */
    String ask(int index, String command, String... arguments) {
        try (Console console = new Console(server(index).uri())) {
            return console.text(command, arguments);
        }
    }

    /** Which nodes know this key. */
    List<Integer> knowing(String key) {
        return IntStream.range(0, servers.size())
                .filter(index -> ask(index, "EXISTS", key).equals("1"))
                .boxed()
                .toList();
    }

    /** Returns when it is so. The time limit of the test ends this if it never is. */
    static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Override
    public void close() {
        servers.forEach(EmbeddedRedis::close);
    }
}
