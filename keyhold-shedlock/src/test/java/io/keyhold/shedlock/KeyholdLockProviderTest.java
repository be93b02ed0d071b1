package io.keyhold.shedlock;

import static io.keyhold.junit.KeyholdAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.inspect.LocalHolder;
import io.keyhold.junit.KeyholdTest;
import io.keyhold.junit.LockPlace;
import io.keyhold.junit.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

/** What ShedLock's tests do not cover. */
@KeyholdTest
final class KeyholdLockProviderTest {

    private static final String KEY = "job-lock:default:report";

    @Test
    void leaseEndsAfterLockAtMostFor(Keyhold keyhold, Keyhold other, TestClock clock) {
        SimpleLock lock = new KeyholdLockProvider(keyhold).lock(config(60, 0)).orElseThrow();
        clock.advance(Duration.ofSeconds(59));
        assertThat(new KeyholdLockProvider(other).lock(config(60, 0))).isEmpty();
        clock.advance(Duration.ofSeconds(2));
        assertThat(new KeyholdLockProvider(other).lock(config(60, 0))).isPresent();
        lock.unlock();
        assertThat(other).holds(KEY);
    }

    @Test
    @KeyholdTest(LockPlace.REDIS)
    void renewedLeaseIsRenewed(Keyhold keyhold) {
        KeyholdLockProvider provider =
                KeyholdLockProvider.builder(keyhold).renew(true).build();
        SimpleLock lock = provider.lock(config(60, 0)).orElseThrow();
        assertThat(keyhold.inspect().local())
                .singleElement()
                .satisfies(held -> assertThat(held.holders())
                        .extracting(LocalHolder::renewed)
                        .containsExactly(true));
        assertThat(lock.extend(Duration.ofSeconds(90), Duration.ZERO)).isPresent();
    }

    @Test
    void renewedLeaseMayBeExtendedAfterLockAtMostFor(Keyhold keyhold) {
        KeyholdLockProvider provider =
                KeyholdLockProvider.builder(keyhold).renew(true).build();
        LockConfiguration old =
                new LockConfiguration(Instant.now().minusSeconds(120), "report", Duration.ofSeconds(60), Duration.ZERO);
        SimpleLock lock = provider.lock(old).orElseThrow();
        SimpleLock extended = lock.extend(Duration.ofSeconds(60), Duration.ZERO).orElseThrow();
        extended.unlock();
        assertThat(keyhold).isFree(KEY);
    }

    @Test
    void anyThreadMayUnlock(Keyhold keyhold) throws Exception {
        KeyholdLockProvider provider = new KeyholdLockProvider(keyhold);
        SimpleLock lock = provider.lock(config(60, 0)).orElseThrow();
        CompletableFuture.runAsync(lock::unlock).get(1, TimeUnit.MINUTES);
        assertThat(keyhold).isFree(KEY);
        keyhold.lock(KEY).acquire().release();
    }

    @Test
    void lockAtLeastForKeepsKeyTaken(Keyhold keyhold, TestClock clock) {
        KeyholdLockProvider provider = new KeyholdLockProvider(keyhold);
        provider.lock(config(300, 60)).orElseThrow().unlock();
        clock.advance(Duration.ofSeconds(50));
        assertThat(provider.lock(config(300, 60))).isEmpty();
        clock.advance(Duration.ofSeconds(11));
        assertThat(provider.lock(config(300, 60))).isPresent();
    }

    @Test
    @KeyholdTest(LockPlace.REDIS)
    void taskRunsOnceAtATime(Keyhold one, Keyhold two) {
        List<String> ran = new CopyOnWriteArrayList<>();
        DefaultLockingTaskExecutor first = new DefaultLockingTaskExecutor(new KeyholdLockProvider(one));
        DefaultLockingTaskExecutor second = new DefaultLockingTaskExecutor(new KeyholdLockProvider(two));
        first.executeWithLock(
                (Runnable) () -> {
                    ran.add("first");
                    // On another thread: ShedLock lets a thread that holds a lock pass.
                    CompletableFuture.runAsync(
                                    () -> second.executeWithLock((Runnable) () -> ran.add("second"), config(60, 0)))
                            .join();
                },
                config(60, 0));
        second.executeWithLock((Runnable) () -> ran.add("third"), config(60, 0));
        assertThat(ran).containsExactly("first", "third");
        assertThat(one).isFree(KEY);
    }

    @Test
    void keyPrefixIsConfigurable(Keyhold keyhold) {
        KeyholdLockProvider provider =
                KeyholdLockProvider.builder(keyhold).keyPrefix("jobs:").build();
        assertThat(provider.lock(config(60, 0))).isPresent();
        assertThat(keyhold).holds("jobs:report").isFree(KEY);
    }

    @Test
    void tooLongLeaseIsRefused(Keyhold keyhold) {
        LockConfiguration forever = new LockConfiguration(Instant.now(), "report", Duration.ofDays(365), Duration.ZERO);
        assertThatThrownBy(() -> new KeyholdLockProvider(keyhold).lock(forever))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("31 days");
    }

    private static LockConfiguration config(int lockAtMostFor, int lockAtLeastFor) {
        return new LockConfiguration(
                Instant.now(), "report", Duration.ofSeconds(lockAtMostFor), Duration.ofSeconds(lockAtLeastFor));
    }
}
