package io.keyhold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every mistake has one clear message, with the value and the rule in it, before anything is sent. */
class BadInputTest {

    private final Keyhold keyhold = Keyhold.inMemory();
    private final LockOptions.Builder options = LockOptions.builder();

    @Test
    void keys() {
        refused(() -> keyhold.lock(""), "key must have 1 to 1000 characters, and has 0: ''");
        refused(() -> keyhold.lock("x".repeat(1001)), "key must have 1 to 1000 characters, and has 1001");
        refused(() -> keyhold.lock("{a}:kh:fence"), "key must not contain ':kh:'");
        refused(() -> keyhold.lock(nothing()), "key must not be null");
        refused(() -> keyhold.inspect().lock(""), "key must have 1 to 1000 characters");
        refused(() -> keyhold.inspect().forceRelease(""), "key must have 1 to 1000 characters");
    }

    @Test
    void keysThatAreKeyholdsOwnOnlyBehindTheirPrefix() {
        try (Keyhold prefixed = Keyhold.builder().inMemory().keyPrefix("{x}:").build()) {
            String message = "key behind its prefix must not contain ':kh:', which marks Keyhold's own keys:"
                    + " 'kh:fence' behind '{x}:'";
            refused(() -> prefixed.lock("kh:fence"), message);
            refused(() -> prefixed.allOf("a", "kh:fence"), message);
            refused(() -> prefixed.semaphore("kh:fence", 1), message);
            refused(() -> prefixed.readWriteLock("kh:fence"), message);
            refused(() -> prefixed.inspect().lock("kh:fence"), message);
            refused(() -> prefixed.inspect().forceRelease("kh:fence"), message);
        }
        refused(() -> keyhold.lock("keyhold:kh:incarnation"), "key must not contain ':kh:'");
    }

    /** On the wire an unpaired surrogate would be a question mark, and different keys one lock. */
    @Test
    void textThatCannotBeEncoded() {
        for (String text : new String[] {"\uD800", "a\uDC00b", "\uDC00\uD800", "\uD83D\uDD12\uD83D"}) {
            refusedEverywhere(text);
        }
    }

    private void refusedEverywhere(String text) {
        String rule = " must be text that UTF-8 can encode, and has an unpaired surrogate at index ";
        refused(() -> keyhold.lock(text), "key" + rule);
        refused(() -> keyhold.allOf("a", text), "key" + rule);
        refused(() -> keyhold.semaphore(text, 1), "key" + rule);
        refused(() -> keyhold.readWriteLock(text), "key" + rule);
        refused(() -> keyhold.inspect().lock(text), "key" + rule);
        refused(() -> keyhold.inspect().forceRelease(text), "key" + rule);
        refused(() -> keyhold.inspect().list(text), "pattern" + rule);
        refused(() -> Keyhold.builder().keyPrefix(text), "key prefix" + rule);
        refused(() -> Keyhold.builder().clientName(text), "client name must be");
        refused(() -> options.token(text), "token" + rule);
        refused(() -> keyhold.lock("a").release(text), "token" + rule);
        refused(() -> keyhold.lock("a").adopt(text), "token" + rule);
        refused(() -> keyhold.semaphore("s", 1).release(text), "token" + rule);
    }

    @Test
    void textThatCannotBeEncodedIsShownReadably() {
        refused(() -> keyhold.lock("a\uD83D\uDD12\uD800b"), "at index 3: 'a\uD83D\uDD12\\uD800b'");
        assertThat(keyhold.lock("a\uD83D\uDD12b").key()).isEqualTo("a\uD83D\uDD12b");
    }

    /** Too long to be counted in milliseconds, or to be made positive. */
    @ParameterizedTest
    @ValueSource(
            longs = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -Long.MAX_VALUE / 1000, Long.MAX_VALUE / 1000, Long.MAX_VALUE})
    void durationsOutOfAllBounds(long seconds) throws InterruptedException {
        Lease lease = keyhold.lock("extended").acquire();
        for (long nanos : new long[] {0, 1, 1_000_000, 999_999_999}) {
            Duration value = Duration.ofSeconds(seconds, nanos);
            String was = ", and is " + seconds + " s";
            SemaphoreOptions.Builder permits = SemaphoreOptions.builder();
            refused(() -> options.lease(value), "lease must be from 10 ms to 31 days" + was);
            refused(() -> options.maxWait(value), "maxWait must be from 0 ms to 365 days" + was);
            refused(() -> options.retryInterval(value), "retryInterval must be from 0 ms to 1 days" + was);
            refused(() -> options.maxLocalTime(value), "maxLocalTime must be from 0 ms to 60 s" + was);
            refused(() -> permits.lease(value), "lease must be from 10 ms to 31 days" + was);
            refused(() -> permits.maxWait(value), "maxWait must be from 0 ms to 365 days" + was);
            refused(() -> Keyhold.builder().nodeTimeout(value), "nodeTimeout must be from 1 ms to 10 s" + was);
            refused(() -> Keyhold.builder().longestLease(value), "longestLease must be from 1 s to 31 days" + was);
            refused(() -> keyhold.lock("a").tryAcquire(value), "maxWait must be from 0 ms to 365 days" + was);
            refused(() -> keyhold.lock("a").tryAcquireAsync(value), "maxWait must be from 0 ms to 365 days" + was);
            refused(
                    () -> keyhold.semaphore("s", 1).tryAcquire(value),
                    "maxWait must be from 0 ms to" + " 365 days" + was);
            refused(() -> keyhold.semaphore("s", 1).tryAcquireAsync(1, value), "maxWait must be from 0 ms to 365 days");
            refused(() -> lease.extend(value), "lease must be from 10 ms to 31 days" + was);
        }
    }

    @Test
    void leases() {
        refused(() -> options.lease(Duration.ZERO), "lease must be from 10 ms to 31 days, and is 0 ms");
        refused(() -> options.lease(Duration.ofSeconds(-5)), "lease must be from 10 ms to 31 days, and is -5 s");
        refused(
                () -> options.lease(Duration.ofDays(36500)),
                "and is 36500 days; a lock that must not expire has noExpiry()");
        refused(() -> options.lease(Duration.ofNanos(1)), "and is 1 ns");
        refused(() -> options.lease(nothing()), "lease must not be null");
    }

    @Test
    void extensions() throws InterruptedException {
        Lease lease = keyhold.lock("a").acquire();
        refused(() -> lease.extend(Duration.ZERO), "lease must be from 10 ms to 31 days, and is 0 ms");
    }

    @Test
    void waiting() {
        refused(() -> options.maxWait(Duration.ofMillis(-1)), "maxWait must be from 0 ms to 365 days, and is -1 ms");
        refused(() -> keyhold.lock("a").tryAcquire(Duration.ofDays(366)), "maxWait must be from 0 ms to 365 days");
        refused(() -> keyhold.lock("a").tryAcquireAsync(Duration.ofSeconds(-1)), "and is -1 s");
        refused(() -> options.retries(-1), "retries must be from 0 to 1000000, and is -1");
        refused(() -> options.retryInterval(Duration.ofSeconds(-2)), "retryInterval must be from 0 ms to 1 days");
        refused(() -> options.maxLocalPasses(64), "maxLocalPasses must be from 0 to 63, and is 64");
        refused(() -> options.maxLocalPasses(-1), "maxLocalPasses must be from 0 to 63, and is -1");
        refused(() -> options.maxLocalTime(Duration.ofMinutes(2)), "maxLocalTime must be from 0 ms to");
        refused(() -> options.fairness(nothing()), "fairness must not be null");
    }

    @Test
    void tokens() {
        refused(() -> options.token(""), "token must have 1 to 512 characters");
        refused(() -> options.token("a\nb"), "no control characters");
        refused(() -> options.token("x".repeat(513)), "and has 513");
        refused(() -> keyhold.lock("a").release(""), "token must have 1 to 512 characters");
        refused(() -> keyhold.lock("a").adopt(""), "token must have 1 to 512 characters");
    }

    @Test
    void clients() {
        refused(() -> Keyhold.builder().clientName("a b"), "client name must be 1 to 64 letters, digits");
        refused(() -> Keyhold.builder().keyPrefix("a:kh:"), "key prefix must have at most 1000 characters");
        assertThatThrownBy(() -> Keyhold.builder().build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("exactly one of uri, driver, inMemory and quorum, and got 0");
        assertThatThrownBy(() ->
                        Keyhold.builder().inMemory().uri("redis://localhost").build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("got 2");
    }

    @Test
    void quorums() {
        refused(() -> Keyhold.builder().quorum(new String[0]), "uris of a quorum must be at least one");
        refused(() -> Keyhold.quorum("redis://a:1", "redis://a:1"), "none of them twice");
        refused(() -> Keyhold.quorum("redis://a:1", "http://b"), "http://b");
        refused(() -> Keyhold.quorum("redis://a:1", nothing()), "uris must not contain null");
        refused(() -> Keyhold.builder().quorum(keyhold, keyhold), "none of them twice");
        refused(() -> Keyhold.builder().quorum((Keyhold[]) nothing()), "clients must not be null");
        refused(() -> Keyhold.builder().quorum(keyhold, nothing()), "clients must not contain null");
        refused(() -> Keyhold.builder().nodeTimeout(Duration.ZERO), "nodeTimeout must be from 1 ms to 10 s");
        refused(() -> Keyhold.builder().longestLease(Duration.ofMillis(999)), "longestLease must be from 1 s to");
        InMemorySpace space = InMemorySpace.create();
        refused(
                () -> Keyhold.builder().quorum(inside(space), inside(space)).build(),
                "clients of a quorum must be of different servers: [memory-");
        assertThatThrownBy(() -> Keyhold.builder()
                        .inMemory()
                        .longestLease(Duration.ofMinutes(2))
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("longestLease and admitFreshNodes are for a quorum");
        assertThatThrownBy(() -> Keyhold.builder()
                        .quorum(keyhold)
                        .commands(CommandStyle.TRANSACTIONS)
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("must be SCRIPTS, and is TRANSACTIONS");
        refused(
                () -> Keyhold.builder()
                        .quorum(Keyhold.builder().quorum(keyhold).build())
                        .build(),
                "must be a client of one server with scripts, or in memory");
    }

    private static Keyhold inside(InMemorySpace space) {
        return Keyhold.builder().inMemory(space).build();
    }

    @Test
    void nothingAtAll() {
        refused(() -> Keyhold.connect(nothing()), "uri must not be null");
        refused(() -> keyhold.lock("a", nothing()), "options must not be null");
        refused(() -> keyhold.lock("a").run((Runnable) nothing()), "work must not be null");
        refused(() -> keyhold.lock("a").tryAcquire(nothing()), "maxWait must not be null");
        refused(() -> keyhold.lock("a").release(nothing()), "token must not be null");
        refused(() -> keyhold.lock("a").with(nothing()), "change must not be null");
        refused(() -> keyhold.inspect().list(nothing()), "pattern must not be null");
        refused(() -> options.onLost(nothing()), "listener must not be null");
    }

    @Test
    void aClassPathWithoutDriversSaysWhatToAdd() {
        assertThatThrownBy(() -> Keyhold.connect("redis://localhost:6379"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("keyhold-jedis", "keyhold-lettuce");
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return null;
    }
}
