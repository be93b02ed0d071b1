package io.keyhold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every bad input has one clear message, with the value and the rule in it, before anything is sent. */
class BadInputTest {

    private final Keyhold keyhold = Keyhold.inMemory();
    private final LockOptions.Builder options = LockOptions.builder();

    @Test
    void keys() {
        refused(() -> keyhold.lock(""), "key must have 1 to 1000 characters, had 0: ''");
        refused(() -> keyhold.lock("x".repeat(1001)), "key must have 1 to 1000 characters, had 1001");
        refused(() -> keyhold.lock("{a}:kh:fence"), "key must not contain ':kh:'");
        missing(() -> keyhold.lock(nothing()), "key must not be null");
        refused(() -> keyhold.inspect().lock(""), "key must have 1 to 1000 characters");
        refused(() -> keyhold.inspect().forceRelease(""), "key must have 1 to 1000 characters");
    }

    @Test
    void keysReservedOnlyWithPrefix() {
        try (Keyhold prefixed = Keyhold.builder().inMemory().keyPrefix("{x}:").build()) {
            String message = "key must not contain ':kh:' together with its prefix, which marks Keyhold's own keys:"
                    + " 'kh:fence' with prefix '{x}:'";
            refused(() -> prefixed.lock("kh:fence"), message);
            refused(() -> prefixed.allOf("a", "kh:fence"), message);
            refused(() -> prefixed.semaphore("kh:fence", 1), message);
            refused(() -> prefixed.readWriteLock("kh:fence"), message);
            refused(() -> prefixed.inspect().lock("kh:fence"), message);
            refused(() -> prefixed.inspect().forceRelease("kh:fence"), message);
        }
        refused(() -> keyhold.lock("keyhold:kh:incarnation"), "key must not contain ':kh:'");
    }

    @Test
    void electionsAndRests() throws InterruptedException {
        Lease lease = keyhold.lock("a").acquire();
        refused(() -> keyhold.election(""), "key must have 1 to 1000 characters");
        refused(() -> ElectionOptions.builder().lease(Duration.ZERO), "lease must be from 10 ms to 31 days");
        refused(
                () -> ElectionOptions.builder().revokedTimeout(Duration.ofHours(2)),
                "revokedTimeout must be from 0 ms");
        refused(() -> lease.releaseAfter(Duration.ofSeconds(Long.MIN_VALUE)), "rest must be from 0 ms to 31 days");
        refused(() -> lease.releaseAfterAsync(Duration.ofSeconds(Long.MAX_VALUE)), "rest must be from 0 ms to 31 days");
        refused(() -> options.token("job (resting)"), "token must not end with ' (resting)'");
        refused(() -> keyhold.lock("a").release("job (resting)"), "token must not end with ' (resting)'");
        refused(() -> keyhold.inspect().forceRelease("a", ""), "expectedToken must not be empty");
        assertThat(lease.isHeld()).isTrue();
    }

    /** On the wire an unpaired surrogate would be a question mark, and different keys one lock. */
    @Test
    void textThatCannotBeEncoded() {
        for (String text : new String[] {"\uD800", "a\uDC00b", "\uDC00\uD800", "\uD83D\uDD12\uD83D"}) {
            refusedEverywhere(text);
        }
    }

    private void refusedEverywhere(String text) {
        String rule = " must be text that UTF-8 can encode, had an unpaired surrogate at index ";
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
            String was = ", was " + seconds + " s";
            SemaphoreOptions.Builder permits = SemaphoreOptions.builder();
            refused(() -> options.lease(value), "lease must be from 10 ms to 31 days" + was);
            refused(() -> options.maxWait(value), "maxWait must be from 0 ms to 365 days" + was);
            refused(() -> options.retryInterval(value), "retryInterval must be from 0 ms to 1 days" + was);
            refused(() -> options.maxLocalTime(value), "maxLocalTime must be from 0 ms to 60 s" + was);
            refused(() -> permits.lease(value), "lease must be from 10 ms to 31 days" + was);
            refused(() -> permits.maxWait(value), "maxWait must be from 0 ms to 365 days" + was);
            refused(() -> QuorumOptions.builder().nodeTimeout(value), "nodeTimeout must be from 1 ms to 10 s" + was);
            refused(
                    () -> QuorumOptions.builder().longestLease(value),
                    "longestLease must be from 1 s to 31 days" + was);
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
        refused(() -> options.lease(Duration.ZERO), "lease must be from 10 ms to 31 days, was 0 ms");
        refused(() -> options.lease(Duration.ofSeconds(-5)), "lease must be from 10 ms to 31 days, was -5 s");
        refused(
                () -> options.lease(Duration.ofDays(36500)),
                "was 36500 days; use noExpiry() for a lock that must not expire");
        refused(() -> options.lease(Duration.ofNanos(1)), "was 1 ns");
        missing(() -> options.lease(nothing()), "lease must not be null");
    }

    @Test
    void extensions() throws InterruptedException {
        Lease lease = keyhold.lock("a").acquire();
        refused(() -> lease.extend(Duration.ZERO), "lease must be from 10 ms to 31 days, was 0 ms");
    }

    @Test
    void waiting() {
        refused(() -> options.maxWait(Duration.ofMillis(-1)), "maxWait must be from 0 ms to 365 days, was -1 ms");
        refused(() -> keyhold.lock("a").tryAcquire(Duration.ofDays(366)), "maxWait must be from 0 ms to 365 days");
        refused(() -> keyhold.lock("a").tryAcquireAsync(Duration.ofSeconds(-1)), "was -1 s");
        refused(() -> options.retries(-1), "retries must be from 0 to 1000000, was -1");
        refused(() -> options.retryInterval(Duration.ofSeconds(-2)), "retryInterval must be from 0 ms to 1 days");
        refused(() -> options.maxLocalHandOvers(64), "maxLocalHandOvers must be from 0 to 63, was 64");
        refused(() -> options.maxLocalHandOvers(-1), "maxLocalHandOvers must be from 0 to 63, was -1");
        refused(() -> options.maxLocalTime(Duration.ofMinutes(2)), "maxLocalTime must be from 0 ms to");
        missing(() -> options.fairness(nothing()), "fairness must not be null");
    }

    @Test
    void names() {
        refused(() -> options.name(""), "name must have 1 to 64 characters");
        refused(() -> options.name("x".repeat(65)), "had 65");
        refused(() -> SemaphoreOptions.builder().name("a\tb"), "no control characters");
    }

    @Test
    void tokens() {
        refused(() -> options.token(""), "token must have 1 to 512 characters");
        refused(() -> options.token("a\nb"), "no control characters");
        refused(() -> options.token("x".repeat(513)), "had 513");
        refused(() -> keyhold.lock("a").release(""), "token must have 1 to 512 characters");
        refused(() -> keyhold.lock("a").adopt(""), "token must have 1 to 512 characters");
    }

    @Test
    void clients() {
        refused(() -> Keyhold.builder().clientName("a b"), "client name must be 1 to 64 letters, digits");
        refused(() -> Keyhold.builder().keyPrefix("a:kh:"), "key prefix must have at most 1000 characters");
        assertThatThrownBy(() -> Keyhold.builder().build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("exactly one of uri, driver, cluster, inMemory and quorum, had none");
        assertThatThrownBy(() ->
                        Keyhold.builder().inMemory().uri("redis://localhost").build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("had inMemory(), uri");
    }

    @Test
    void quorums() {
        refused(() -> Keyhold.builder().quorum(new String[0]), "uris of a quorum must be at least 1");
        refused(() -> Keyhold.quorum("redis://a:1", "redis://a:1"), "and all different");
        refused(() -> Keyhold.quorum("redis://a:1", "http://b"), "http://b");
        missing(() -> Keyhold.quorum("redis://a:1", nothing()), "uris[1] must not be null");
        refused(() -> Keyhold.builder().quorumOfClients(List.of(keyhold, keyhold)), "and all different");
        missing(() -> Keyhold.builder().quorumOfClients(nothing()), "clients must not be null");
        refused(() -> Keyhold.builder().quorumOfDrivers(List.of()), "drivers of a quorum must be at least 1");
        refused(() -> Keyhold.quorum("redis://a:1", "redis-cluster://b:2"), "must be one server, was the cluster b:2");
        missing(
                () -> Keyhold.builder().quorumOfClients(Arrays.asList(keyhold, nothing())),
                "clients[1] must not be null");
        missing(() -> Keyhold.builder().quorum(List.of("redis://a:1"), nothing()), "options must not be null");
        refused(() -> QuorumOptions.builder().nodeTimeout(Duration.ZERO), "nodeTimeout must be from 1 ms to 10 s");
        refused(() -> QuorumOptions.builder().longestLease(Duration.ofMillis(999)), "longestLease must be from 1 s to");
        InMemorySpace space = InMemorySpace.create();
        refused(
                () -> Keyhold.builder()
                        .quorumOfClients(List.of(inside(space), inside(space)))
                        .build(),
                "clients of a quorum must be of different servers, were [memory-");
        assertThatThrownBy(() -> Keyhold.builder()
                        .quorumOfClients(List.of(keyhold))
                        .commands(CommandStyle.TRANSACTIONS)
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("must be SCRIPTS on a quorum, was TRANSACTIONS");
        refused(
                () -> Keyhold.builder()
                        .quorumOfClients(List.of(Keyhold.builder()
                                .quorumOfClients(List.of(keyhold))
                                .build()))
                        .build(),
                "must be a client of one server with scripts, or in memory");
    }

    private static Keyhold inside(InMemorySpace space) {
        return Keyhold.builder().inMemory(space).build();
    }

    @Test
    void nothingAtAll() {
        missing(() -> Keyhold.connect(nothing()), "uri must not be null");
        missing(() -> RedisUri.parse(nothing()), "uri must not be null");
        missing(() -> RedisUri.parse("redis://a").withClientName(nothing()), "name must not be null");
        missing(() -> keyhold.allOf("a", nothing()), "keys[1] must not be null");
        missing(() -> keyhold.inspect().lock(nothing()), "key must not be null");
        missing(() -> new StoreRefusedException("message", nothing(), null), "code must not be null");
        missing(() -> keyhold.lock("a", nothing()), "options must not be null");
        missing(
                () -> keyhold.lock("a").run(BadInputTest.<CheckedRunnable<RuntimeException>>nothing()),
                "work must not be null");
        missing(() -> keyhold.lock("a").tryAcquire(nothing()), "maxWait must not be null");
        missing(() -> keyhold.lock("a").release(nothing()), "token must not be null");
        missing(() -> keyhold.lock("a").with(nothing()), "change must not be null");
        missing(() -> keyhold.inspect().list(nothing()), "pattern must not be null");
        missing(() -> options.onLost(nothing()), "listener must not be null");
    }

    @Test
    void missingDriverNamesDependency() {
        assertThatThrownBy(() -> Keyhold.connect("redis://localhost:6379"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("keyhold-jedis", "keyhold-lettuce");
    }

    private static void missing(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(message);
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return null;
    }
}
