package io.keyhold.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CallbackQueueTest {

    private static final int EACH = 2_000;

    private final ExecutorService executor = Executors.newFixedThreadPool(4);
    private final CallbackQueue queue = new CallbackQueue(this::execute, () -> {});
    private final AtomicInteger running = new AtomicInteger();
    private final List<List<Integer>> told = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

    private boolean execute(Runnable task) {
        executor.execute(task);
        return true;
    }

    private void add(Runnable callback) {
        assertThat(queue.add(callback, Integer.MAX_VALUE)).isTrue();
        queue.start();
    }

    private void addAll(int source) {
        for (int i = 0; i < EACH; i++) {
            int number = i;
            add(() -> {
                assertThat(running.incrementAndGet()).isEqualTo(1);
                told.get(source).add(number);
                running.decrementAndGet();
            });
        }
    }

    @Test
    void callbacksRunInOrder() {
        CompletableFuture<?>[] sources = IntStream.range(0, told.size())
                .mapToObj(source -> CompletableFuture.runAsync(() -> addAll(source)))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(sources).join();
        CompletableFuture<Void> last = new CompletableFuture<>();
        add(() -> last.complete(null));
        last.join();
        executor.shutdown();
        List<Integer> inOrder = IntStream.range(0, EACH).boxed().toList();
        assertThat(told).allSatisfy(numbers -> assertThat(numbers).containsExactlyElementsOf(inOrder));
    }

    @Test
    void callbackKnowsItsThread() {
        CompletableFuture<Boolean> here = new CompletableFuture<>();
        add(() -> here.complete(queue.isRunningHere()));
        assertThat(here.join()).isTrue();
        assertThat(queue.isRunningHere()).isFalse();
        executor.shutdown();
    }
}
