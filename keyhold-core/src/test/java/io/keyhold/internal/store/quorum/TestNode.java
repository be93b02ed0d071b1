package io.keyhold.internal.store.quorum;

import io.keyhold.KeyholdClock;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.internal.store.memory.MemoryStore;
import io.keyhold.spi.RedisConnectionException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A node in memory that a test can make slow, cut off and lose its data. */
final class TestNode {

    private final KeyholdClock clock;
    private final Deque<Runnable> inFlight = new ArrayDeque<>();
    private final Set<String> slow = new HashSet<>();
    private final Set<String> cut = new HashSet<>();
    private final Map<String, Integer> asked = new HashMap<>();
    private final Set<String> forbidden = new HashSet<>();
    private int refused;
    private MemoryStore memory;
    private boolean reachable = true;

    TestNode(KeyholdClock clock) {
        this.clock = clock;
        this.memory = new MemoryStore(clock);
    }

    /** As the quorum sees it. */
    VotingNode store() {
        return (VotingNode) Proxy.newProxyInstance(
                TestNode.class.getClassLoader(), new Class<?>[] {VotingNode.class}, (proxy, method, arguments) -> {
                    try {
                        if (method.getReturnType() != CompletionStage.class) {
                            return method.invoke(method.getDeclaringClass() == Object.class ? this : memory, arguments);
                        }
                        if (!reachable) {
                            refused++;
                            return CompletableFuture.failedStage(new StoreUnavailableException("cut off", false, null));
                        }
                        asked.merge(method.getName(), 1, Integer::sum);
                        if (forbidden.stream()
                                .anyMatch(word -> (method.getName() + Arrays.toString(arguments)).contains(word))) {
                            return CompletableFuture.failedStage(
                                    new StoreRefusedException("NOPERM no permissions", "NOPERM", null));
                        }
                        if (cut.remove(method.getName())) {
                            method.invoke(memory, arguments);
                            reachable = false;
                            return CompletableFuture.failedStage(new StoreUnavailableException(
                                    "cut",
                                    true,
                                    new RedisConnectionException(
                                            RedisConnectionException.Failure.CONNECTION_LOST, "cut", null)));
                        }
                        if (!slow.contains(method.getName())) {
                            return method.invoke(memory, arguments);
                        }
                        CompletableFuture<Object> later = new CompletableFuture<>();
                        inFlight.add(() -> {
                            try {
                                ((CompletionStage<?>) method.invoke(memory, arguments)).thenAccept(later::complete);
                            } catch (ReflectiveOperationException e) {
                                throw new LinkageError(e.getMessage(), e);
                            }
                        });
                        return later;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** What it has, without the way there. */
    MemoryStore memory() {
        return memory;
    }

    /** These requests stay in flight until {@link #arrive}. */
    void slow(String... operations) {
        slow.addAll(Set.of(operations));
    }

    /** Delivers the first request in flight. */
    void arriveNext() {
        inFlight.poll().run();
    }

    /** Nothing is slow any more; what is in flight stays there. */
    void hurry() {
        slow.clear();
    }

    /** Delivers what is in flight, and makes nothing slow any more. */
    void arrive() {
        slow.clear();
        while (!inFlight.isEmpty()) {
            inFlight.poll().run();
        }
    }

    /** The next such request is executed, but the connection breaks before the reply, and no other can be opened. */
    void cutAfterNext(String operation) {
        cut.add(operation);
    }

    /** Refuses operations with this name, or with this text in their arguments. */
    void forbids(String word) {
        forbidden.add(word);
    }

    /** Returns how many such requests it got, since it could be reached. */
    int asked(String operation) {
        return asked.getOrDefault(operation, 0);
    }

    /** Returns how many requests were sent while it could not be reached. */
    int refused() {
        return refused;
    }

    void cutOff() {
        reachable = false;
    }

    void comeBack() {
        reachable = true;
    }

    /** Becomes another name of that server. */
    void standsFor(TestNode other) {
        memory = other.memory;
    }

    /** Restarts without its data. */
    void forget() {
        memory = new MemoryStore(clock);
    }
}
