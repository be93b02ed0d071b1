package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.LeaseLostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Locks and reactive transactions, which travel in the context of a subscription and not with a thread. */
final class ReactiveTransactionTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Application application = Application.start(Beans.class);
    private final Accounts accounts = application.get(Accounts.class);
    private final Outer outer = application.get(Outer.class);
    private final Transactions transactions = (Transactions) application.get(ReactiveTransactionManager.class);

    @AfterEach
    void stop() {
        application.close();
    }

    private Mono<Boolean> isLocked() {
        return Mono.fromSupplier(() -> application.isLocked("account:1"));
    }

    @Test
    void lockIsReleasedAfterItsOwnTransaction() {
        transactions.atEnd = () -> application.isLocked("account:1");
        accounts.bookInTransaction(1, isLocked()).block(LIMIT);
        assertThat(transactions.ends).containsExactly("committed, locked: true");
        assertThat(application.isLocked("account:1")).isFalse();
    }

    @Test
    void lockIsReleasedAfterTheOuterTransaction() {
        transactions.atEnd = () -> application.isLocked("account:1");
        assertThat(outer.run(accounts.book(1, isLocked()).then(isLocked())).block(LIMIT))
                .as("after the method")
                .isTrue();
        assertThat(transactions.ends).containsExactly("committed, locked: true");
        assertThat(application.isLocked("account:1")).isFalse();
    }

    @Test
    void lockIsReleasedAfterRollbackOfTheOuterTransaction() {
        transactions.atEnd = () -> application.isLocked("account:1");
        assertThatThrownBy(() -> outer.run(accounts.book(1, isLocked())
                                .then(Mono.<Boolean>error(new IllegalStateException("rolled back"))))
                        .block(LIMIT))
                .hasMessage("rolled back");
        assertThat(transactions.ends).containsExactly("rolled back, locked: true");
        assertThat(application.isLocked("account:1")).isFalse();
    }

    @Test
    void releaseAfterMethodDoesNotWaitForTheOuterTransaction() {
        assertThat(outer.run(accounts.bookAndReleaseAtOnce(1, isLocked()).then(isLocked()))
                        .block(LIMIT))
                .isFalse();
    }

    @Test
    void secondCallInOuterTransactionGoesOnUnderTheSameLock() {
        assertThat(outer.run(accounts.book(1, isLocked()).then(accounts.book(1, isLocked())))
                        .block(LIMIT))
                .isTrue();
        assertThat(application.requests()).hasSize(1);
        assertThat(application.isLocked("account:1")).isFalse();
    }

    @Test
    void lostLeaseRollsBackTheOuterTransaction() {
        Mono<Boolean> longerThanTheLease = Mono.delay(Duration.ofMillis(300)).thenReturn(true);
        assertThatThrownBy(() -> outer.run(accounts.bookShortly(1, isLocked()).then(longerThanTheLease))
                        .block(LIMIT))
                .isInstanceOf(LeaseLostException.class);
        assertThat(transactions.ends).singleElement().asString().startsWith("rolled back");
    }

    /** Cancels a booking at this point, and shows that the lock is held until its transaction has ended. */
    private void cancelKeepsTheLock(Mono<Boolean> booking, CompletableFuture<?> point, String end) throws Exception {
        transactions.atEnd = () -> application.isLocked("account:1");
        Disposable running = booking.subscribe();
        point.get(1, TimeUnit.MINUTES);
        running.dispose();
        transactions.ending.get(1, TimeUnit.MINUTES);
        assertThat(application.isLocked("account:1")).isTrue();
        transactions.mayEnd.tryEmitEmpty();
        application.other().lock("account:1").tryAcquire(LIMIT).orElseThrow().release();
        assertThat(transactions.ends).containsExactly(end + ", locked: true");
    }

    @Test
    void cancelledSubscriptionKeepsTheLockUntilItsTransactionHasCommitted() throws Exception {
        transactions.mayEnd = Sinks.empty();
        cancelKeepsTheLock(accounts.bookInTransaction(1, isLocked()), transactions.ending, "committed");
    }

    @Test
    void cancelledSubscriptionKeepsTheLockUntilItsTransactionHasRolledBack() throws Exception {
        transactions.mayEnd = Sinks.empty();
        CompletableFuture<Boolean> working = new CompletableFuture<>();
        Mono<Boolean> work = Mono.<Boolean>never().doOnSubscribe(each -> working.complete(true));
        cancelKeepsTheLock(accounts.bookInTransaction(1, work), working, "rolled back");
    }

    @Test
    void cancelledSubscriptionKeepsTheLockOfTheMethodUntilItsTransactionHasCommitted() throws Exception {
        transactions.mayEnd = Sinks.empty();
        cancelKeepsTheLock(accounts.bookInTransactionAndReleaseAtOnce(1, isLocked()), transactions.ending, "committed");
    }

    @Test
    void releaseAfterMethodWithATransactionDoesNotWaitForTheOuterTransaction() {
        assertThat(outer.run(accounts.bookInTransactionAndReleaseAtOnce(1, isLocked())
                                .then(isLocked()))
                        .block(LIMIT))
                .isFalse();
    }

    @Test
    void locksOfSeveralCallsCoverACallForAllOfThem() {
        assertThat(outer.run(accounts.book(1, isLocked())
                                .then(accounts.book(2, isLocked()))
                                .then(accounts.transfer(1, 2, isLocked())))
                        .block(LIMIT))
                .isTrue();
        assertThat(application.requests()).hasSize(2);
        assertThat(application.isLocked("account:1") || application.isLocked("account:2"))
                .isFalse();
    }

    /** Calls others in its transaction. */
    static class Outer {

        @Transactional
        Mono<Boolean> run(Mono<Boolean> work) {
            return work;
        }
    }

    /** Methods under a lock. */
    static class Accounts {

        @Locked("account:#{#id}")
        Mono<Boolean> book(long id, Mono<Boolean> work) {
            return work;
        }

        @Locked("account:#{#id}")
        @Transactional
        Mono<Boolean> bookInTransaction(long id, Mono<Boolean> work) {
            return work;
        }

        @Locked(key = "account:#{#id}", release = ReleaseAfter.METHOD)
        @Transactional
        Mono<Boolean> bookInTransactionAndReleaseAtOnce(long id, Mono<Boolean> work) {
            return work;
        }

        @Locked({"account:#{#from}", "account:#{#to}"})
        Mono<Boolean> transfer(long from, long to, Mono<Boolean> work) {
            return work;
        }

        @Locked(key = "account:#{#id}", lease = "200ms")
        Mono<Boolean> bookShortly(long id, Mono<Boolean> work) {
            return work;
        }

        @Locked(key = "account:#{#id}", release = ReleaseAfter.METHOD)
        Mono<Boolean> bookAndReleaseAtOnce(long id, Mono<Boolean> work) {
            return work;
        }
    }

    /** A transaction manager that notes how transactions end. */
    static class Transactions extends AbstractReactiveTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient List<String> ends = new CopyOnWriteArrayList<>();
        private transient BooleanSupplier atEnd = () -> false;
        private final transient CompletableFuture<Boolean> ending = new CompletableFuture<>();
        private transient Sinks.Empty<Void> mayEnd = Sinks.empty();

        Transactions() {
            mayEnd.tryEmitEmpty();
        }

        @Override
        protected Object doGetTransaction(TransactionSynchronizationManager manager) {
            return manager.hasResource(this) ? "existing" : "new";
        }

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return transaction.equals("existing");
        }

        @Override
        protected Mono<Void> doBegin(
                TransactionSynchronizationManager manager, Object transaction, TransactionDefinition definition) {
            return Mono.fromRunnable(() -> manager.bindResource(this, "open"));
        }

        @Override
        protected Mono<Void> doCommit(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
            return end("committed");
        }

        @Override
        protected Mono<Void> doRollback(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
            return end("rolled back");
        }

        private Mono<Void> end(String how) {
            return mayEnd.asMono()
                    .doOnSubscribe(subscription -> ending.complete(true))
                    .then(Mono.fromRunnable(() -> ends.add(how + ", locked: " + atEnd.getAsBoolean())));
        }

        @Override
        protected Mono<Void> doCleanupAfterCompletion(TransactionSynchronizationManager manager, Object transaction) {
            return Mono.fromRunnable(() -> manager.unbindResourceIfPossible(this));
        }
    }

    /** The beans of the test. */
    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Beans {

        @Bean
        static ReactiveTransactionManager transactions() {
            return new Transactions();
        }

        @Bean
        static Accounts accounts() {
            return new Accounts();
        }

        @Bean
        static Outer outer() {
            return new Outer();
        }
    }
}
