package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.Advised;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** How {@code @Async}, {@code @Retryable}, {@code @Locked} and {@code @Transactional} of one method nest. {@code @Retryable} is in Spring since 7.0. */
final class NestingTest {

    private final Application application = Application.start(Beans.class);

    @AfterEach
    void stop() {
        application.close();
    }

    private List<String> advice() {
        return Arrays.stream(((Advised) application.get(Work.class)).getAdvisors())
                .map(advisor -> advisor.getAdvice().getClass().getSimpleName())
                .toList();
    }

    @Test
    void lockIsBetweenAsyncAndTransaction() {
        assertThat(advice())
                .containsSubsequence(
                        "AnnotationAsyncExecutionInterceptor", "HoldInterceptor", "TransactionInterceptor");
    }

    @Test
    @Tag("spring7")
    void adviceIsInThisOrder() {
        assertThat(advice())
                .containsExactly(
                        "AnnotationAsyncExecutionInterceptor",
                        "RetryAnnotationInterceptor",
                        "HoldInterceptor",
                        "TransactionInterceptor");
    }

    @Test
    @Tag("spring7")
    void eachAttemptRunsOnTheOtherThreadUnderItsOwnLockAroundItsTransaction() throws Exception {
        List<String> seen = application.get(Work.class).run(application).get(1, TimeUnit.MINUTES);
        assertThat(seen)
                .containsExactly(
                        "other thread: true, locked: true, in transaction: true",
                        "rolled back, locked: true",
                        "other thread: true, locked: true, in transaction: true",
                        "committed, locked: true");
        assertThat(application.requests())
                .as("one for each attempt")
                .filteredOn(request -> request.keys().contains("work"))
                .hasSize(2);
        assertThat(application.isLocked("work")).isFalse();
    }

    @Test
    void scheduledMethodRunsUnderItsLock() throws Exception {
        assertThat(application.get(Jobs.class).locked().get(1, TimeUnit.MINUTES))
                .isTrue();
    }

    /** One method with everything. */
    static class Work {

        private final Thread caller = Thread.currentThread();
        private final List<String> seen = new ArrayList<>();
        private int attempts;

        @Async
        @Retryable(maxRetries = 1, delay = 1)
        @Locked("work")
        @Transactional
        CompletableFuture<List<String>> run(Application application) {
            seen.add("other thread: " + (Thread.currentThread() != caller) + ", locked: "
                    + application.isLocked("work") + ", in transaction: "
                    + TransactionSynchronizationManager.isActualTransactionActive());
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    seen.add((status == STATUS_COMMITTED ? "committed" : "rolled back") + ", locked: "
                            + application.isLocked("work"));
                }
            });
            attempts++;
            if (attempts == 1) {
                throw new IllegalStateException("first attempt");
            }
            return CompletableFuture.completedFuture(seen);
        }
    }

    /** A job of a schedule. */
    static class Jobs {

        private final CompletableFuture<Boolean> locked = new CompletableFuture<>();

        CompletableFuture<Boolean> locked() {
            return locked;
        }

        @Scheduled(initialDelay = 0, fixedDelay = 3_600_000)
        @Locked("job")
        void run() {
            locked.complete(
                    Leases.current().filter(lease -> lease.key().equals("job")).isPresent());
        }
    }

    /** The beans of the test. */
    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @EnableResilientMethods
    @EnableScheduling
    @Import(TransactionTest.Beans.class)
    static class Beans {

        @Bean
        static Work work() {
            return new Work();
        }

        @Bean
        static Jobs jobs() {
            return new Jobs();
        }
    }
}
