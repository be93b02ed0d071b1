package io.keyhold.tests.faults;

import static io.keyhold.tests.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.StoreUnavailableException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedRedisBuilder;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that restarts, or is down for a while, while requests wait: they are served when it is back. */
@Execution(ExecutionMode.CONCURRENT)
class RestartWaitTest {

    private static final String KEY = "invoice:42";

    /** Longer than any restart on a busy machine, because an outage of one lease ends a request without a deadline. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    private static final Duration TIME_LIMIT = Duration.ofMinutes(3);

    /** What is waited for. */
    enum Kind {
        LOCK {
            @Override
            CompletableFuture<Lease> acquire(Keyhold keyhold) {
                return keyhold.lock(KEY).with(options -> options.lease(LEASE)).acquireAsync();
            }
        },
        STRICT_LOCK {
            @Override
            CompletableFuture<Lease> acquire(Keyhold keyhold) {
                return keyhold.lock(KEY)
                        .with(options -> options.lease(LEASE).fairness(Fairness.STRICT))
                        .acquireAsync();
            }
        },
        SEMAPHORE {
            @Override
            CompletableFuture<Lease> acquire(Keyhold keyhold) {
                return keyhold.semaphore(KEY, 1)
                        .with(options -> options.lease(LEASE))
                        .acquireAsync();
            }
        },
        WRITE_LOCK {
            @Override
            CompletableFuture<Lease> acquire(Keyhold keyhold) {
                return keyhold.readWriteLock(KEY)
                        .writeLock()
                        .with(options -> options.lease(LEASE))
                        .acquireAsync();
            }
        },
        ALL_OF {
            @Override
            CompletableFuture<Lease> acquire(Keyhold keyhold) {
                return keyhold.allOf("{invoices}:1", "{invoices}:2")
                        .with(options -> options.lease(LEASE))
                        .acquireAsync();
            }
        };

        abstract CompletableFuture<Lease> acquire(Keyhold keyhold);

        /** Returns the number of waiters in queues of the server. */
        long waiting(Keyhold keyhold) {
            return keyhold.inspect().list("*").stream()
                    .mapToLong(lock -> lock.waiterCount())
                    .sum();
        }
    }

    static Stream<Arguments> setupsAndKinds() {
        return Stream.of(Setup.JEDIS_SCRIPTS, Setup.LETTUCE_SCRIPTS)
                .flatMap(setup -> Stream.of(Kind.values()).map(kind -> Arguments.of(setup, kind)));
    }

    private static EmbeddedRedisBuilder remembering() {
        return EmbeddedRedis.builder().option("appendonly", "yes").option("appendfsync", "always");
    }

    @ParameterizedTest
    @MethodSource("setupsAndKinds")
    void waiterIsServedAfterRestartWithData(Setup setup, Kind kind) throws Exception {
        try (EmbeddedRedis server = remembering().start();
                Keyhold holder = setup.client(server.uri()).build();
                Keyhold keyhold = setup.client(server.uri()).build()) {
            Lease held = kind.acquire(holder).get(60, TimeUnit.SECONDS);
            CompletableFuture<Lease> waiting = kind.acquire(keyhold);
            await(() -> kind.waiting(holder) > 0);
            server.restart();
            assertThat(held.isHeldOnServer())
                    .as("a hold that the server remembers continues")
                    .isTrue();
            assertThat(waiting).isNotDone();
            held.release();
            assertThat(waiting).succeedsWithin(TIME_LIMIT);
            assertThat(waiting.join().fencingToken()).isGreaterThan(held.fencingToken());
            assertThat(waiting.join().release()).isTrue();
            await(() -> kind.waiting(holder) == 0);
        }
    }

    @ParameterizedTest
    @MethodSource("setupsAndKinds")
    void waiterIsServedAfterRestartWithoutData(Setup setup, Kind kind) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold holder = setup.client(server.uri()).build();
                Keyhold keyhold = setup.client(server.uri()).build()) {
            kind.acquire(holder).get(60, TimeUnit.SECONDS);
            CompletableFuture<Lease> waiting = kind.acquire(keyhold);
            await(() -> kind.waiting(holder) > 0);
            server.restart();
            assertThat(waiting).succeedsWithin(TIME_LIMIT);
            assertThat(waiting.join().isHeldOnServer()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void requestWithDeadlineOutlastsLongOutage(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                Keyhold holder = setup.client(server.uri()).build();
                Keyhold keyhold = setup.client(proxy.uri()).build()) {
            Lease held = Kind.LOCK.acquire(holder).get(60, TimeUnit.SECONDS);
            CompletableFuture<Optional<Lease>> waiting = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    waiting.complete(keyhold.lock(KEY)
                            .with(options -> options.lease(LEASE))
                            .tryAcquire(TIME_LIMIT));
                } catch (InterruptedException | RuntimeException e) {
                    waiting.completeExceptionally(e);
                }
            });
            thread.start();
            await(() -> Kind.LOCK.waiting(holder) > 0);
            proxy.refuse();
            long before = proxy.accepted();
            await(() -> proxy.accepted() > before + 10 || waiting.isDone());
            assertThat(waiting).as("after ten attempts that failed").isNotDone();
            held.release();
            proxy.heal();
            assertThat(waiting)
                    .succeedsWithin(TIME_LIMIT)
                    .satisfies(lease -> assertThat(lease).isPresent());
            thread.join();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void waiterWithoutDeadlineFailsAfterOneLease(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                Keyhold holder = setup.client(server.uri()).build();
                Keyhold keyhold = setup.client(proxy.uri()).build()) {
            Kind.LOCK.acquire(holder).get(60, TimeUnit.SECONDS);
            CompletableFuture<Lease> waiting = keyhold.lock(KEY)
                    .with(options -> options.lease(Duration.ofSeconds(2)))
                    .acquireAsync();
            await(() -> Kind.LOCK.waiting(holder) > 0);
            proxy.refuse();
            assertThat(waiting).failsWithin(TIME_LIMIT);
            assertThat(waiting.handle((lease, failure) -> failure).join())
                    .isInstanceOf(StoreUnavailableException.class);
        }
    }
}
