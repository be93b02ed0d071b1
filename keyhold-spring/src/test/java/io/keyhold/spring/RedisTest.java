package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Two applications with locks on one Redis server. */
final class RedisTest {

    @Test
    void twoApplicationsCountTogether() throws Exception {
        Counter shared = new Counter();
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                AnnotationConfigApplicationContext one = start(redis, shared);
                AnnotationConfigApplicationContext two = start(redis, shared)) {
            List<CompletableFuture<Void>> calls = IntStream.range(0, 200)
                    .mapToObj(i -> (i % 2 == 0 ? one : two).getBean(Service.class))
                    .map(service -> CompletableFuture.runAsync(service::increment, threads))
                    .toList();
            CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
            assertThat(shared.value).isEqualTo(200);
            assertThat(shared.tokens).as("fencing tokens").isSorted().doesNotHaveDuplicates();
            assertThat(one.getBean(Keyhold.class).lock("counter").isLocked()).isFalse();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void closingTheContextReleases() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Keyhold other = Keyhold.connect(redis.uri())) {
            AnnotationConfigApplicationContext application = start(redis, new Counter());
            CompletableFuture<String> never = application.getBean(Service.class).later();
            assertThat(other.lock("later").isLocked()).isTrue();
            application.close();
            assertThat(other.lock("later").isLocked()).isFalse();
            assertThat(never).isNotDone();
        }
    }

    private static AnnotationConfigApplicationContext start(EmbeddedRedis redis, Counter shared) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(Keyhold.class, () -> Keyhold.connect(redis.uri()));
        context.registerBean(Service.class, () -> new Service(shared));
        context.register(Enabled.class);
        context.refresh();
        return context;
    }

    /** What the lock protects: no field of it is volatile or guarded. */
    static final class Counter {
        private final ArrayList<Long> tokens = new ArrayList<>();
        private int value;
    }

    /** As an application says it. */
    @Configuration(proxyBeanMethods = false)
    @EnableKeyhold
    static class Enabled {}

    /** Counts. */
    static class Service {

        private final Counter counter;

        Service(Counter counter) {
            this.counter = counter;
        }

        @Locked("counter")
        void increment() {
            Lease lease = Leases.require("counter");
            int before = counter.value;
            counter.tokens.add(lease.fencingToken());
            counter.value = before + 1;
        }

        @Locked("later")
        CompletableFuture<String> later() {
            return new CompletableFuture<>();
        }
    }
}
