package io.keyhold.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NoticesTest {

    private static final int EACH = 2_000;

    private final ExecutorService executor = Executors.newFixedThreadPool(4);
    private final Notices notices = new Notices(executor::execute);
    private final AtomicInteger running = new AtomicInteger();
    private final List<List<Integer>> told = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

    private void addAll(int source) {
        for (int i = 0; i < EACH; i++) {
            int number = i;
            notices.add(() -> {
                assertThat(running.incrementAndGet()).isEqualTo(1);
                told.get(source).add(number);
                running.decrementAndGet();
            });
        }
    }

    @Test
    void noticesRunInOrder() {
        CompletableFuture<?>[] sources = IntStream.range(0, told.size())
                .mapToObj(source -> CompletableFuture.runAsync(() -> addAll(source)))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(sources).join();
        notices.add(() -> {}).join();
        executor.shutdown();
        List<Integer> inOrder = IntStream.range(0, EACH).boxed().toList();
        assertThat(told).allSatisfy(numbers -> assertThat(numbers).containsExactlyElementsOf(inOrder));
    }

    @Test
    void noticeKnowsItsThread() {
        CompletableFuture<Boolean> here = new CompletableFuture<>();
        notices.add(() -> here.complete(notices.areRunningHere()));
        assertThat(here.join()).isTrue();
        assertThat(notices.areRunningHere()).isFalse();
        executor.shutdown();
    }
}
