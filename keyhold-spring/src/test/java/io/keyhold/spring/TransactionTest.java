package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.LeaseLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Locks and transactions, with a real transaction manager and database. */
final class TransactionTest {

    private final Application application = Application.start(Beans.class);
    private final Accounts accounts = application.get(Accounts.class);
    private final Outer outer = application.get(Outer.class);
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void stop() {
        application.close();
    }

    private int rows() {
        Integer rows = application.get(JdbcTemplate.class).queryForObject("select count(*) from entry", Integer.class);
        return rows == null ? -1 : rows;
    }

    /** Notes when the transaction that runs now has completed, and whether the lock is held then. */
    private void watchCompletion() {
        assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                .isTrue();
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                seen.add("committed, locked: " + application.isLocked("account:1"));
            }

            @Override
            public int getOrder() {
                return 0;
            }
        });
    }

    @Test
    void lockIsTakenBeforeItsTransactionAndReleasedAfterIt() {
        accounts.book(1, this::watchCompletion);
        assertThat(seen).containsExactly("committed, locked: true");
        assertThat(application.isLocked("account:1")).isFalse();
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void lockIsReleasedAfterTheOuterTransaction() {
        outer.run(() -> {
            watchCompletion();
            accounts.book(1, () -> {});
            seen.add("method returned, locked: " + application.isLocked("account:1"));
        });
        assertThat(seen).containsExactly("method returned, locked: true", "committed, locked: true");
        assertThat(application.isLocked("account:1")).isFalse();
        assertThat(Leases.current()).isEmpty();
    }

    @Test
    void lockIsReleasedAfterRollbackOfTheOuterTransaction() {
        assertThatThrownBy(() -> outer.run(() -> {
                    accounts.book(1, () -> {});
                    assertThat(application.isLocked("account:1")).isTrue();
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        assertThat(application.isLocked("account:1")).isFalse();
        assertThat(rows()).isZero();
    }

    @Test
    void releaseAfterMethodDoesNotWaitForTheOuterTransaction() {
        outer.run(() -> {
            accounts.bookAndReleaseAtOnce(1);
            assertThat(application.isLocked("account:1")).isFalse();
        });
    }

    @Test
    void secondCallInOuterTransactionGoesOnUnderTheSameLock() {
        outer.run(() -> {
            accounts.book(1, () -> {});
            accounts.book(1, () -> {});
            accounts.bookSeparately(1);
        });
        assertThat(application.requests()).hasSize(1);
        assertThat(rows()).isEqualTo(3);
        assertThat(application.isLocked("account:1")).isFalse();
    }

    @Test
    void locksOfSeveralCallsCoverACallForAllOfThem() {
        outer.run(() -> {
            accounts.book(1, () -> {});
            accounts.book(2, () -> {});
            accounts.transfer(1, 2);
            assertThat(application.isLocked("account:1") && application.isLocked("account:2"))
                    .isTrue();
        });
        assertThat(application.requests()).hasSize(2);
        assertThat(application.isLocked("account:1") || application.isLocked("account:2"))
                .isFalse();
        assertThat(Leases.current()).isEmpty();
    }

    @Test
    void lossOfOneOfSeveralCoveringLocksFailsTheCall() {
        assertThatThrownBy(() -> outer.run(() -> {
                    accounts.book(1, () -> {});
                    accounts.book(2, () -> {});
                    application.lose(Leases.require("account:1"));
                    accounts.transfer(1, 2);
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(rows()).isZero();
        assertThat(application.isLocked("account:2")).isFalse();
    }

    @Test
    void stageInOuterTransactionIsRefusedUnlessItReleasesByItself() {
        outer.run(() -> {
            assertThatThrownBy(() -> accounts.bookLater(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("set release = METHOD");
            assertThat(accounts.bookLaterAndReleaseAtOnce(1).join()).isTrue();
        });
        assertThat(application.requests()).hasSize(1);
    }

    @Test
    void lostLeaseRollsBackItsTransaction() {
        assertThatThrownBy(() -> accounts.book(1, this::lose)).isInstanceOf(LeaseLostException.class);
        assertThat(rows()).isZero();
    }

    @Test
    void lostLeaseRollsBackTheOuterTransaction() {
        assertThatThrownBy(() -> outer.run(() -> {
                    accounts.book(1, () -> {});
                    lose();
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(rows()).isZero();
        assertThat(Leases.current()).isEmpty();
    }

    @Test
    void lostLeaseRollsBackTransactionsThatBeganInside() {
        TransactionTemplate template = new TransactionTemplate(application.get(PlatformTransactionManager.class));
        assertThatThrownBy(() -> accounts.hold(
                        1,
                        () -> template.executeWithoutResult(status -> {
                            outer.insert();
                            lose();
                        })))
                .isInstanceOf(LeaseLostException.class);
        assertThat(rows()).isZero();
    }

    @Test
    void lossDoesNotAffectOtherThreads() {
        assertThatThrownBy(() -> accounts.hold(1, () -> {
                    lose();
                    CompletableFuture.runAsync(() -> outer.run(outer::insert)).join();
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(rows()).isEqualTo(1);
    }

    private void lose() {
        application.lose(Leases.current().orElseThrow());
    }

    /** Calls others in its transaction. */
    static class Outer {

        private final JdbcTemplate database;

        Outer(JdbcTemplate database) {
            this.database = database;
        }

        @Transactional
        void run(Runnable work) {
            work.run();
        }

        void insert() {
            database.update("insert into entry values (0)");
        }
    }

    /** Methods under a lock, in a transaction. */
    static class Accounts {

        private final JdbcTemplate database;

        Accounts(JdbcTemplate database) {
            this.database = database;
        }

        @Locked("account:#{#id}")
        @Transactional
        void book(long id, Runnable work) {
            database.update("insert into entry values (?)", id);
            work.run();
        }

        @Locked(key = "account:#{#id}", release = ReleaseAfter.METHOD)
        @Transactional
        void bookAndReleaseAtOnce(long id) {
            database.update("insert into entry values (?)", id);
        }

        @Locked("account:#{#id}")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        void bookSeparately(long id) {
            database.update("insert into entry values (?)", id);
        }

        @Locked({"account:#{#from}", "account:#{#to}"})
        @Transactional
        void transfer(long from, long to) {
            database.update("insert into entry values (?), (?)", from, to);
        }

        @Locked("account:#{#id}")
        CompletableFuture<Boolean> bookLater(long id) {
            return CompletableFuture.completedFuture(true);
        }

        @Locked(key = "account:#{#id}", release = ReleaseAfter.METHOD)
        CompletableFuture<Boolean> bookLaterAndReleaseAtOnce(long id) {
            return CompletableFuture.completedFuture(true);
        }

        @Locked("account:#{#id}")
        void hold(long id, Runnable work) {
            work.run();
        }
    }

    /** The beans of the test. */
    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Beans {

        @Bean
        static DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        }

        @Bean
        static JdbcTemplate database(DataSource dataSource) {
            JdbcTemplate template = new JdbcTemplate(dataSource);
            template.execute("create table entry (account bigint)");
            return template;
        }

        @Bean
        static PlatformTransactionManager transactions(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        static Accounts accounts(JdbcTemplate database) {
            return new Accounts(database);
        }

        @Bean
        static Outer outer(JdbcTemplate database) {
            return new Outer(database);
        }
    }
}
