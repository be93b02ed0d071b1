package io.keyhold.internal.store.cluster;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Nodes that reply what a test says. A call without an entry in {@link Node#replies} is granted, renewed or released. */
final class FakeCluster implements RedisCluster {

    static final RedisAddress A = new RedisAddress("a", 7000);
    static final RedisAddress B = new RedisAddress("b", 7000);
    static final RedisAddress C = new RedisAddress("c", 7000);

    private static final int SLOTS = 16_384;

    final Map<RedisAddress, Node> nodes = new HashMap<>();
    List<RedisAddress> configured = List.of(A);
    /** Why the nodes cannot be told. */
    @Nullable
    RuntimeException nodesFailure;

    boolean closed;

    Node node(RedisAddress address) {
        return nodes.computeIfAbsent(address, Node::new);
    }

    /** Has this node say that the slots below the first number are A's, those below the second B's, and the rest C's. */
    void tell(RedisAddress node, long epoch, int endOfA, int endOfB) {
        List<Object> slots = new ArrayList<>();
        add(slots, 0, endOfA, A);
        add(slots, endOfA, endOfB, B);
        add(slots, endOfB, SLOTS, C);
        node(node).info = "cluster_state:ok\r\ncluster_current_epoch:" + epoch + "\r\n";
        node(node).slots = slots;
    }

    private static void add(List<Object> slots, int first, int end, RedisAddress owner) {
        if (first < end) {
            slots.add(List.of((long) first, end - 1L, List.of(owner.host(), (long) owner.port(), "id")));
        }
    }

    @Override
    public List<RedisAddress> nodes() {
        if (nodesFailure != null) {
            throw nodesFailure;
        }
        return configured;
    }

    @Override
    public RedisDriver open(RedisAddress address) {
        Node node = node(address);
        if (node.unknown) {
            throw new IllegalStateException("unknown");
        }
        node.opened++;
        node.closed = false;
        return node;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** One node. */
    static final class Node implements RedisDriver, RedisSession {

        private final RedisAddress address;
        final List<String> log = new ArrayList<>();
        /** Of the scripts. */
        final List<CallMode> modes = new ArrayList<>();
        /** The replies to the next scripts; a {@link Throwable} is a failure. */
        final Deque<Object> replies = new ArrayDeque<>();

        String info = "";

        @Nullable
        Object slots;

        @Nullable
        RuntimeException failure;
        /** Lookups wait until this is complete. */
        CompletableFuture<Void> lookups = CompletableFuture.completedFuture(null);

        int opened;
        boolean closed;
        /** Whether it cannot be opened. */
        boolean unknown;

        Node(RedisAddress address) {
            this.address = address;
        }

        @Override
        public String address() {
            return address.toString();
        }

        void fails() {
            failure = DriverFailures.notConnected("refused", null);
        }

        long scripts() {
            return log.stream().filter(command -> command.equals("EVALSHA")).count();
        }

        @Override
        public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
            String command = call.command().equals("CLUSTER")
                    ? call.command() + " " + call.arguments().get(0)
                    : call.command();
            log.add(command);
            RuntimeException broken = failure;
            if (broken != null) {
                return CompletableFuture.failedStage(broken);
            }
            options.sending().run();
            return switch (command) {
                case "CLUSTER INFO" -> lookups.thenApply(now -> info);
                case "CLUSTER SLOTS" -> lookups.thenCompose(now -> told());
                case "INFO" -> CompletableFuture.completedStage("");
                case "SCAN" -> CompletableFuture.completedStage(List.of("0", List.of()));
                case "ASKING" -> CompletableFuture.completedStage("OK");
                default -> {
                    modes.add(options.mode());
                    yield script(call);
                }
            };
        }

        private CompletionStage<@Nullable Object> told() {
            return slots == null
                    ? CompletableFuture.failedStage(
                            new RedisErrorException("ERR This instance has cluster support disabled"))
                    : CompletableFuture.completedStage(slots);
        }

        private CompletionStage<@Nullable Object> script(RedisCall call) {
            Object reply = replies.poll();
            if (reply instanceof Throwable failed) {
                return CompletableFuture.failedStage(failed);
            }
            if (reply != null) {
                return CompletableFuture.completedStage(reply);
            }
            int keys = Integer.parseInt(call.arguments().get(1));
            boolean acquire = keys == 4 && call.arguments().size() >= 8;
            List<Object> held = new ArrayList<>();
            for (int i = 0; i < keys; i++) {
                held.add(1L);
            }
            return CompletableFuture.completedStage(acquire ? "7" : keys == 4 ? 1L : held);
        }

        @Override
        public <T> CompletionStage<T> withSession(
                CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
            return work.apply(this);
        }

        @Override
        public CompletionStage<List<@Nullable Object>> pipeline(List<RedisCall> calls) {
            List<@Nullable Object> all = new ArrayList<>();
            CompletionStage<List<@Nullable Object>> done = CompletableFuture.completedStage(all);
            for (RedisCall call : calls) {
                done = done.thenCompose(now -> call(call, CallMode.BLOCKING).thenApply(reply -> {
                    all.add(reply);
                    return all;
                }));
            }
            return done;
        }

        @Override
        public CompletionStage<@Nullable List<@Nullable Object>> transaction(List<RedisCall> calls) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
            log.add("SUBSCRIBE " + channel);
            return CompletableFuture.completedStage(() -> {});
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
