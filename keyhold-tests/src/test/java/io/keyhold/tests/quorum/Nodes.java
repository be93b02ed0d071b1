package io.keyhold.tests.quorum;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static io.keyhold.tests.Await.await;

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
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Independent servers, and clients of all of them together. */
final class Nodes implements AutoCloseable {

    /** For tests that are not about slow nodes: on a busy machine any node is slow now and then. */
    static final Duration PATIENT = Duration.ofSeconds(10);

    /** For tests that wait for the time-out of a stopped node. */
    static final Duration HASTY = Duration.ofSeconds(2);

    /** For tests that do not wait for the end of a lease: longer than any pause of a busy machine. */
    static final Duration LONGEST_LEASE = Duration.ofMinutes(1);

    /** For tests that do: longer than most pauses. */
    static final Duration SOON_OVER = Duration.ofSeconds(6);

    /** For clients with long time-outs that admit new nodes. */
    static final QuorumOptions PATIENTLY = QuorumOptions.builder()
            .admitFreshNodes(true)
            .nodeTimeout(PATIENT)
            .longestLease(LONGEST_LEASE)
            .build();

    private final List<EmbeddedRedis> servers = new ArrayList<>();

    private Nodes() {}

    /** Starts this many servers, which lose their data when they are restarted. */
    static Nodes start(int count) {
        return start(count, EmbeddedRedis.builder());
    }

    /** Starts this many servers of this kind. */
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
     * Admits all of them, by a client that knows that they are new. Clients of tests whose nodes lose their data must not admit nodes:
     * a client that first sees a node after it lost its data would take it for new.
     */
    void admit() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            keyhold.lock("admission").run(() -> {});
            await(() ->
                    keyhold.inspect().quorum().orElseThrow().nodes().stream().allMatch(QuorumNode::canVote));
        }
    }

    /** Returns a client of all nodes, with long time-outs, that admits new nodes. */
    KeyholdBuilder client() {
        return client(options -> options);
    }

    /** Returns such a client with some options changed. */
    KeyholdBuilder client(UnaryOperator<QuorumOptions.Builder> change) {
        QuorumOptions options = change.apply(PATIENTLY.toBuilder()).build();
        return Keyhold.builder().quorum(List.of(uris()), options);
    }

    /** Returns a client with shorter time-outs, but longer than a busy machine takes for a reply. */
    KeyholdBuilder hasty() {
        return client(options -> options.nodeTimeout(HASTY));
    }

    String[] uris() {
        return servers.stream().map(server -> withLongTimeouts(server.uri())).toArray(String[]::new);
    }

    EmbeddedRedis server(int index) {
        return servers.get(index);
    }

    /** Returns the address as messages show it. */
    String address(int index) {
        return "127.0.0.1:" + server(index).port();
    }

    /** Returns the reply of one node to a command. */
    String ask(int index, String command, String... arguments) {
        try (Console console = new Console(server(index).uri())) {
            return console.text(command, arguments);
        }
    }

    /** Returns the nodes that have this key. */
    List<Integer> knowing(String key) {
        return IntStream.range(0, servers.size())
                .filter(index -> ask(index, "EXISTS", key).equals("1"))
                .boxed()
                .toList();
    }

    @Override
    public void close() {
        servers.forEach(EmbeddedRedis::close);
    }
}
