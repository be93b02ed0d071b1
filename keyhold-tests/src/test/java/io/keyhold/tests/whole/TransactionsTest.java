package io.keyhold.tests.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.SemaphoreOptions;
import io.keyhold.StoreUnavailableException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client without scripts does beside one that has them, and what it refuses. */
class TransactionsTest {

    private static final String WAITERS = "{s}:kh:waiters";

    private EmbeddedRedis server;
    private Console console;
    private Keyhold transactions;
    private Keyhold scripts;

    @BeforeEach
    void start() {
        server = EmbeddedRedis.start();
        console = new Console(server.uri());
        transactions = Setup.JEDIS_TRANSACTIONS.client(server.uri()).build();
        scripts = Setup.JEDIS_SCRIPTS.client(server.uri()).build();
    }

    @AfterEach
    void stop() {
        transactions.close();
        scripts.close();
        console.close();
        server.close();
    }

    /** Asks by script for so many permits, and returns when the request stands in the queue. */
    private CompletableFuture<Lease> waitInLine(int permits, int limit) {
        String before = console.text("LLEN", WAITERS);
        CompletableFuture<Lease> waiting = scripts.semaphore("s", limit).acquireAsync(permits);
        while (!waiting.isDone() && console.text("LLEN", WAITERS).equals(before)) {
            Thread.onSpinWait();
        }
        assertThat(waiting).isNotDone();
        return waiting;
    }

    private static Lease granted(CompletableFuture<Lease> waiting) throws Exception {
        return waiting.get(20, TimeUnit.SECONDS);
    }

    @Test
    void whatIsFreeIsForThoseWhoStandInLine() throws Exception {
        DistributedSemaphore semaphore = transactions.semaphore("s", 2);
        Lease held = semaphore.acquire();
        CompletableFuture<Lease> large = waitInLine(2, 2);

        assertThat(semaphore.tryAcquire()).isEmpty();
        held.release();

        Lease lease = granted(large);
        assertThat(lease.fencingToken()).isGreaterThan(held.fencingToken());
        assertThat(semaphore.availablePermits()).isZero();
        lease.release();
        assertThat(semaphore.tryAcquire()).isPresent();
    }

    @Test
    void theLineIsNotHeldUpByAClientThatIsGone() throws Exception {
        DistributedSemaphore semaphore = transactions.semaphore("s", 1);
        semaphore.acquire().close();
        console.ask("RPUSH", WAITERS, "nonsense", "keyhold:inbox:gone 1 1000 0 1 dead");

        assertThat(semaphore.tryAcquire()).isPresent();
        assertThat(console.text("EXISTS", WAITERS)).isEqualTo("0");
    }

    @Test
    void moreAndFewerPermits() throws Exception {
        DistributedSemaphore semaphore = transactions.semaphore("s", 1);
        Lease first = semaphore.acquire();
        CompletableFuture<Lease> waiting = waitInLine(1, 1);

        assertThat(semaphore.resize(2)).isEqualTo(1);

        Lease second = granted(waiting);
        assertThat(semaphore.availablePermits()).isZero();
        assertThat(semaphore.resize(1)).isEqualTo(2);
        first.release();
        assertThat(semaphore.tryAcquire()).isEmpty();
        second.release();
        assertThat(semaphore.tryAcquire()).isPresent();
    }

    @Test
    void aPermitComesBackOnce() throws Exception {
        DistributedSemaphore semaphore = transactions.semaphore("s", 2);
        Lease ours = semaphore.acquire();
        Lease theirs = scripts.semaphore("s", 2).acquire();

        assertThat(semaphore.isHeld(theirs.token())).isTrue();
        assertThat(ours.release()).isTrue();
        assertThat(ours.release()).isFalse();
        assertThat(semaphore.release(ours.token())).isFalse();
        assertThat(semaphore.release("a stranger's")).isFalse();
        assertThat(semaphore.availablePermits()).isEqualTo(1);
        assertThat(semaphore.release(theirs.token())).isTrue();
        assertThat(scripts.semaphore("s", 2).availablePermits()).isEqualTo(2);
    }

    @Test
    void permitsThatTheScriptsGaveOutAreGivenBackByTheirNumber() throws Exception {
        Lease many = scripts.semaphore("s", 5).acquire(3);
        Lease one = transactions.semaphore("s", 5).acquire();
        assertThat(transactions.semaphore("s", 5).availablePermits()).isEqualTo(1);

        assertThat(transactions.semaphore("s", 5).release(many.token())).isTrue();

        assertThat(scripts.semaphore("s", 5).availablePermits()).isEqualTo(4);
        assertThat(one.isOwned()).isTrue();
    }

    @Test
    void whoeverComesNextDropsThoseWhoseTimeIsOver() throws Exception {
        transactions.semaphore("s", 2).acquire();
        Lease live = scripts.semaphore("s", 2).acquire();
        String dead = console.text("ZRANGE", "s", "0", "0").replaceAll("[\\[\\]]", "");
        console.ask("ZADD", "s", "1", dead);

        assertThat(transactions.semaphore("s", 2).isHeld(dead)).isFalse();
        assertThat(transactions.semaphore("s", 2).availablePermits()).isEqualTo(1);
        assertThat(transactions.semaphore("s", 2).tryAcquire()).isPresent();
        assertThat(console.text("ZSCORE", "s", dead)).isEqualTo("null");
        assertThat(console.text("HGET", "{s}:kh:permits", "used")).isEqualTo("2");
        assertThat(transactions.semaphore("s", 2).tryAcquire()).isEmpty();
        assertThat(live.isOwned()).isTrue();
    }

    @Test
    void anotherLimitIsToldByBothNumbers() throws Exception {
        scripts.semaphore("s", 2).acquire().close();

        assertThatThrownBy(() -> transactions.semaphore("s", 3).acquire())
                .isInstanceOf(SemaphoreLimitException.class)
                .hasMessageContaining("2 permits")
                .hasMessageContaining("3");
        SemaphoreOptions join =
                SemaphoreOptions.builder().permits(3).joinExisting().build();
        assertThat(transactions.semaphore("s", join).tryAcquire()).isPresent();
    }

    @Test
    void aReadWriteLockIsNotJoined() throws Exception {
        scripts.readWriteLock("s").readLock().acquire();
        SemaphoreOptions join =
                SemaphoreOptions.builder().permits(3).joinExisting().build();

        assertThatThrownBy(() -> transactions.semaphore("s", join).tryAcquire())
                .isInstanceOf(SemaphoreLimitException.class)
                .hasMessageContaining("read/write lock");
    }

    @Test
    void aLocksKeyIsNoSemaphores() throws Exception {
        Lease lock = transactions.lock("s").acquire();

        assertThatThrownBy(() -> transactions.semaphore("s", 2).tryAcquire())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("somebody keeps other data under this key");
        assertThat(transactions.semaphore("s", 2).release(lock.token())).isFalse();
        assertThat(transactions.semaphore("s", 2).isHeld(lock.token())).isFalse();
        assertThat(lock.isOwned()).isTrue();
    }

    @Test
    void operatorsSeeSemaphoresAndFreeThem() throws Exception {
        transactions.semaphore("s", 2).acquire();
        transactions.lock("l").acquire();
        List<LockSnapshot> seen = transactions.inspect().list("*");
        assertThat(seen).extracting(LockSnapshot::key).containsExactly("l", "s");
        assertThat(seen)
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*remaining")
                .isEqualTo(scripts.inspect().list("*"));
        CompletableFuture<Lease> waiting = waitInLine(2, 2);

        assertThat(transactions.inspect().forceRelease("s")).isTrue();

        granted(waiting).release();
        assertThat(transactions.inspect().forceRelease("s")).isFalse();
        assertThat(transactions.semaphore("s", 2).availablePermits()).isEqualTo(2);
        assertThat(transactions.inspect().forceRelease("l")).isTrue();
    }

    @Test
    void allOfSeveralLocksOrNone() throws Exception {
        DistributedLock all = transactions.allOf("c", "a", "b");
        Lease b = scripts.lock("b").acquire();
        assertThat(all.tryAcquire()).isEmpty();
        assertThat(console.text("EXISTS", "a", "c")).isEqualTo("0");
        b.release();

        Lease lease = all.tryAcquire().orElseThrow();

        assertThat(lease.fencingToken()).isGreaterThan(b.fencingToken());
        assertThat(scripts.lock("c").tryAcquire()).isEmpty();
        assertThat(lease.isOwned()).isTrue();
        CompletableFuture<Lease> waiting = scripts.allOf("a", "d").acquireAsync();
        assertThat(lease.release()).isTrue();
        assertThat(granted(waiting).fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(console.text("EXISTS", "b", "c")).isEqualTo("0");
    }

    @Test
    void oneLockThatIsLostIsTheLossOfAll() throws Exception {
        Lease lease = transactions.allOf("a", "b").acquire();
        console.ask("DEL", "b");

        assertThat(lease.isOwned()).isFalse();
        assertThat(lease.release()).isFalse();
        assertThat(console.text("EXISTS", "a", "b")).isEqualTo("0");
    }

    @Test
    void whatPollingCannotDoFairlyIsRefusedWithReasonAndCure() throws Exception {
        String cure = "use RedisCommands.SCRIPTS";
        assertThatThrownBy(() -> transactions.semaphore("s", 4).acquire(2))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("2 permits of semaphore 's'")
                .hasMessageContaining(cure);
        assertThatThrownBy(() -> transactions.semaphore("s", 4).tryAcquire(2))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> transactions.readWriteLock("s").readLock().acquire())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("read/write lock 's'")
                .hasMessageContaining(cure);
        assertThatThrownBy(() -> transactions.readWriteLock("s").writeLock().tryAcquire())
                .isInstanceOf(UnsupportedOperationException.class);
        CompletableFuture<Optional<Lease>> later =
                transactions.semaphore("s", 4).tryAcquireAsync(2);
        assertThatThrownBy(() -> later.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(UnsupportedOperationException.class);
        assertThat(console.text("KEYS", "*")).isEqualTo("[]");
    }
}
