package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.QuorumOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** A client with a longest lease refuses a longer {@code atLeast} when the method has ended. */
final class RefusedRestTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Application application = Application.start(Beans.class);
    private final Work work = application.get(Work.class);

    @AfterEach
    void stop() {
        application.close();
    }

    private void assertFree() throws InterruptedException {
        Keyhold quorum = application.get(Beans.class).quorum;
        quorum.lock("work").tryAcquire(LIMIT).orElseThrow().release();
    }

    @Test
    void methodReleases() throws InterruptedException {
        assertThatThrownBy(work::now)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("longestLease");
        assertFree();
    }

    @Test
    void stageReleasesAndFails() throws Exception {
        CompletableFuture<String> inner = new CompletableFuture<>();
        CompletableFuture<String> result = work.later(inner);
        inner.complete("done");
        assertThatThrownBy(() -> result.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(UnsupportedOperationException.class);
        assertFree();
    }

    @Test
    void monoReleasesAndFails() throws InterruptedException {
        assertThatThrownBy(() -> work.mono().block(LIMIT)).isInstanceOf(UnsupportedOperationException.class);
        assertFree();
        assertThat(Leases.current()).isEmpty();
    }

    /** The beans of the test. */
    @Configuration(proxyBeanMethods = false)
    static class Beans {

        private final Keyhold quorum = Keyhold.builder()
                .quorumOfClients(
                        List.of(Keyhold.inMemory(), Keyhold.inMemory(), Keyhold.inMemory()),
                        QuorumOptions.builder()
                                .admitFreshNodes(true)
                                .longestLease(LIMIT)
                                .build())
                .build();

        @Bean(defaultCandidate = false)
        Keyhold quorum() {
            return quorum;
        }

        @Bean
        static Work work() {
            return new Work();
        }
    }

    /** Methods whose keys stay taken for too long. */
    static class Work {

        @Locked(key = "work", atLeast = "1h", client = "quorum")
        void now() {}

        @Locked(key = "work", atLeast = "1h", client = "quorum")
        CompletableFuture<String> later(CompletableFuture<String> inner) {
            return inner;
        }

        @Locked(key = "work", atLeast = "1h", client = "quorum")
        Mono<String> mono() {
            return Mono.just("done");
        }
    }
}
