package io.keyhold.internal.store.quorum;

import io.keyhold.KeyholdClock;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.memory.MemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A node in memory that a test can make slow, cut off and forgetful. */
final class TestNode {

    private final KeyholdClock clock;
    private final Deque<Runnable> underWay = new ArrayDeque<>();
    private final Set<String> slow = new HashSet<>();
    private MemoryStore memory;
    private boolean reachable = true;

    TestNode(KeyholdClock clock) {
        this.clock = clock;
        this.memory = new MemoryStore(clock);
    }

    /** As the quorum sees it. */
    NodeStore store() {
        return (NodeStore) Proxy.newProxyInstance(
                TestNode.class.getClassLoader(), new Class<?>[] {NodeStore.class}, (proxy, method, arguments) -> {
                    try {
                        if (method.getReturnType() != CompletionStage.class) {
                            return method.invoke(method.getDeclaringClass() == Object.class ? this : memory, arguments);
                        }
                        if (!reachable) {
                            return CompletableFuture.failedStage(new StoreUnavailableException("cut off", false, null));
                        }
                        if (!slow.contains(method.getName())) {
                            return method.invoke(memory, arguments);
                        }
                        CompletableFuture<Object> later = new CompletableFuture<>();
                        underWay.add(() -> {
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

    /** These requests stay on the way until {@link #arrive}. */
    void slow(String... operations) {
        slow.addAll(Set.of(operations));
    }

    /** What is on the way arrives, and nothing is slow any more. */
    void arrive() {
        slow.clear();
        while (!underWay.isEmpty()) {
            underWay.poll().run();
        }
    }

    void cutOff() {
        reachable = false;
    }

    void comeBack() {
        reachable = true;
    }

    /** Starts anew, with nothing in memory. */
    void forget() {
        memory = new MemoryStore(clock);
    }
}
