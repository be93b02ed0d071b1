package io.keyhold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdListener;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.micrometer.KeyholdMetrics;
import io.keyhold.micrometer.KeyholdObservations;
import io.keyhold.shedlock.KeyholdLockProvider;
import io.keyhold.spring.Leases;
import io.keyhold.spring.Locked;
import io.keyhold.spring.OnBusy;
import io.keyhold.spring.integration.KeyholdLockRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import net.javacrumbs.shedlock.core.LockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/** What properties and beans make of the client. */
@SuppressWarnings("try")
final class KeyholdAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    KeyholdAutoConfiguration.class,
                    KeyholdMetricsAutoConfiguration.class,
                    KeyholdIntegrationsAutoConfiguration.class));
    private final ApplicationContextRunner inMemory = runner.withPropertyValues("keyhold.in-memory=true");

    @Test
    void withoutPlaceTheFailureSaysWhereLocksCouldLive() {
        runner.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("does not know where the locks live");
            assertThat(analysis.getAction())
                    .contains("keyhold.uri", "spring.data.redis", "keyhold.in-memory=true", "io.keyhold.Keyhold");
        });
    }

    @Test
    void withoutSpringDataRedisTheFailureIsTheSame() {
        runner.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
                .run(context -> assertThat(analyze(context.getStartupFailure()).getDescription())
                        .contains("does not know where the locks live"));
    }

    @Test
    void twoPlacesAreRefused() {
        runner.withPropertyValues("keyhold.uri=redis://a", "keyhold.uris=redis://b,redis://c")
                .run(context -> assertThat(analyze(context.getStartupFailure()).getDescription())
                        .contains("Both keyhold.uri and keyhold.uris"));
    }

    @Test
    void severalConnectionFactoriesNeedAPrimaryOne() {
        runner.withBean("one", RedisConnectionFactory.class, ForeignFactory::create)
                .withBean("two", RedisConnectionFactory.class, ForeignFactory::create)
                .run(context -> assertThat(analyze(context.getStartupFailure()).getDescription())
                        .contains("several Redis connection factories"));
    }

    @Test
    void foreignConnectionFactoryIsRefused() {
        runner.withBean(RedisConnectionFactory.class, ForeignFactory::create)
                .run(context -> assertThat(analyze(context.getStartupFailure()).getDescription())
                        .contains("cannot use the Redis connection factory"));
    }

    private static FailureAnalysis analyze(@Nullable Throwable failure) {
        return Objects.requireNonNull(new NoLockPlaceFailureAnalyzer().analyze(Objects.requireNonNull(failure)));
    }

    @Test
    void badValueFailsTheStartWithItsRule() {
        inMemory.withPropertyValues("keyhold.defaults.lease=1ms")
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining("lease must be"));
    }

    @Test
    void annotatedMethodsAreLocked() {
        inMemory.withBean(Jobs.class).run(context -> {
            Keyhold keyhold = context.getBean(Keyhold.class);
            assertThat(context.getBean(Jobs.class)
                            .work(() -> keyhold.lock("work").isLocked()))
                    .isTrue();
        });
    }

    @Test
    void disabledThereIsNothing() {
        runner.withPropertyValues("keyhold.enabled=false").withBean(Jobs.class).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(Keyhold.class).doesNotHaveBean(KeyholdMetrics.class);
            assertThat(context.getBean(Jobs.class).leases()).isEmpty();
        });
    }

    @Test
    void clientOfTheApplicationWins() {
        Keyhold own = Keyhold.inMemory();
        runner.withBean("own", Keyhold.class, () -> own)
                .run(context -> assertThat(context.getBean(Keyhold.class)).isSameAs(own));
    }

    @Test
    void defaultsAreThoseOfTheProperties() {
        inMemory.withPropertyValues(
                        "keyhold.defaults.lease=12s",
                        "keyhold.defaults.renew=true",
                        "keyhold.defaults.max-wait=3s",
                        "keyhold.defaults.retries=4",
                        "keyhold.defaults.retry-interval=5ms",
                        "keyhold.defaults.interrupt-on-loss=true",
                        "keyhold.defaults.fairness=strict",
                        "keyhold.defaults.max-local-hand-overs=6",
                        "keyhold.defaults.max-local-time=7ms")
                .run(context -> {
                    LockOptions expected = LockOptions.builder()
                            .lease(Duration.ofSeconds(12))
                            .renew(true)
                            .maxWait(Duration.ofSeconds(3))
                            .retries(4)
                            .retryInterval(Duration.ofMillis(5))
                            .interruptOnLoss(true)
                            .fairness(Fairness.STRICT)
                            .maxLocalHandOvers(6)
                            .maxLocalTime(Duration.ofMillis(7))
                            .build();
                    Keyhold keyhold = context.getBean(Keyhold.class);
                    assertThat(keyhold.lock("a").options()).isEqualTo(expected);
                    assertThat(keyhold.semaphore("b", 2).options().maxWait()).contains(Duration.ofSeconds(3));
                });
    }

    @Test
    void overridesByNameWinOverTheProgram() {
        inMemory.withPropertyValues(
                        "keyhold.locks.nightly-report.max-wait=1h",
                        "keyhold.locks.nightly-report.fairness=strict",
                        "keyhold.semaphores.gpu.permits=7",
                        "keyhold.semaphores.gpu.max-wait=2m")
                .run(context -> {
                    Keyhold keyhold = context.getBean(Keyhold.class);
                    LockOptions program = LockOptions.builder()
                            .name("nightly-report")
                            .maxWait(Duration.ofSeconds(1))
                            .lease(Duration.ofSeconds(9))
                            .build();
                    LockOptions effective = keyhold.lock("any", program).options();
                    assertThat(effective.maxWait()).contains(Duration.ofHours(1));
                    assertThat(effective.fairness()).isEqualTo(Fairness.STRICT);
                    assertThat(effective.lease()).as("not overridden").contains(Duration.ofSeconds(9));
                    assertThat(keyhold.lock("any", program)
                                    .with(options -> options.name("other"))
                                    .options()
                                    .maxWait())
                            .as("of another name")
                            .contains(Duration.ofSeconds(1));
                    assertThat(keyhold.readWriteLock("any", program)
                                    .readLock()
                                    .options()
                                    .maxWait())
                            .contains(Duration.ofHours(1));
                    SemaphoreOptions gpu = keyhold.semaphore("gpu", 4)
                            .with(options -> options.name("gpu"))
                            .options();
                    assertThat(gpu.permits()).isEqualTo(7);
                    assertThat(gpu.maxWait()).contains(Duration.ofMinutes(2));
                });
    }

    @Test
    void overrideReachesAnnotatedMethods() {
        inMemory.withPropertyValues("keyhold.locks.impatient.max-wait=1h", "keyhold.locks.skipping.max-wait=1h")
                .withBean(Jobs.class)
                .run(context -> {
                    Keyhold keyhold = context.getBean(Keyhold.class);
                    Jobs jobs = context.getBean(Jobs.class);
                    assertThat(heldThenFree(keyhold, jobs::impatient)).isEqualTo("ran");
                    assertThat(heldThenFree(keyhold, jobs::skipping)).isEqualTo("ran");
                });
        inMemory.withBean(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            Lease held =
                    context.getBean(Keyhold.class).lock("work").acquireAsync().join();
            assertThatThrownBy(jobs::impatient).isInstanceOf(AcquireTimeoutException.class);
            assertThat(jobs.skipping()).isNull();
            held.release();
        });
    }

    /** Calls while the lock is held, and releases when the call waits. */
    private static @Nullable String heldThenFree(Keyhold keyhold, Supplier<@Nullable String> call) throws Exception {
        Lease held = keyhold.lock("work").acquireAsync().join();
        CompletableFuture<@Nullable String> result = CompletableFuture.supplyAsync(call);
        while (keyhold.inspect().local().stream()
                .noneMatch(seen -> !seen.waiters().isEmpty())) {
            Thread.onSpinWait();
            if (result.isDone()) {
                break;
            }
        }
        held.release();
        return result.get(1, TimeUnit.MINUTES);
    }

    @Test
    void clientIsNamedAfterTheApplication() {
        inMemory.withPropertyValues("spring.application.name=billing service")
                .run(context ->
                        assertThat(holderOf(context.getBean(Keyhold.class))).contains("billing-service"));
        inMemory.withPropertyValues("spring.application.name=billing", "keyhold.client-name=ledger")
                .run(context ->
                        assertThat(holderOf(context.getBean(Keyhold.class))).contains("ledger"));
    }

    private static Optional<String> holderOf(Keyhold keyhold) {
        Lease lease = keyhold.lock("a").acquireAsync().join();
        Optional<String> name =
                keyhold.inspect().lock("a").holder().orElseThrow().clientName();
        lease.release();
        return name;
    }

    @Test
    void listenersAndCustomizersAreApplied() {
        List<String> requested = new CopyOnWriteArrayList<>();
        CompletableFuture<String> granted = new CompletableFuture<>();
        inMemory.withBean(KeyholdListener.class, () -> new KeyholdListener() {
                    @Override
                    public void requested(Request request) {
                        requested.addAll(request.keys());
                    }

                    @Override
                    public void granted(Granted event) {
                        granted.complete(event.request().keys().get(0));
                    }
                })
                .withBean(
                        KeyholdBuilderCustomizer.class,
                        () -> builder -> builder.defaults(LockOptions.builder()
                                .lease(Duration.ofSeconds(5))
                                .build()))
                .run(context -> {
                    Keyhold keyhold = context.getBean(Keyhold.class);
                    keyhold.lock("a").run(() -> {});
                    assertThat(granted.get(1, TimeUnit.MINUTES)).isEqualTo("a");
                    assertThat(requested).containsExactly("a");
                    assertThat(keyhold.lock("a").options().lease()).contains(Duration.ofSeconds(5));
                });
    }

    @Test
    void metersAndObservationsAreListeners() {
        inMemory.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> {
                    assertThat(context).hasSingleBean(KeyholdMetrics.class).hasSingleBean(KeyholdObservations.class);
                    context.getBean(Keyhold.class).lock("a").run(() -> {});
                    // Listeners are told in the background.
                    while (context.getBean(MeterRegistry.class)
                                    .find("keyhold.acquire")
                                    .timer()
                            == null) {
                        Thread.onSpinWait();
                    }
                });
        inMemory.run(context ->
                assertThat(context).doesNotHaveBean(KeyholdMetrics.class).doesNotHaveBean(KeyholdObservations.class));
    }

    @Test
    void otherLibrariesGetTheirLocksHere() {
        inMemory.run(context -> {
            assertThat(context.getBean(LockProvider.class)).isInstanceOf(KeyholdLockProvider.class);
            assertThat(context.getBean(LockRegistry.class)).isInstanceOf(KeyholdLockRegistry.class);
        });
        inMemory.withBean(LockProvider.class, () -> configuration -> Optional.empty())
                .withBean(DefaultLockRegistry.class)
                .run(context -> assertThat(context)
                        .doesNotHaveBean(KeyholdLockProvider.class)
                        .doesNotHaveBean(KeyholdLockRegistry.class));
        inMemory.withClassLoader(new FilteredClassLoader(LockProvider.class, LockRegistry.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("keyholdLockProvider")
                        .doesNotHaveBean("keyholdLockRegistry"));
    }

    /** Methods under a lock. */
    static class Jobs {

        @Locked("work")
        <T> T work(Supplier<T> body) {
            return body.get();
        }

        @Locked("work")
        Optional<Lease> leases() {
            return Leases.current();
        }

        @Locked(key = "work", name = "impatient", maxWait = "0s")
        @Nullable
        String impatient() {
            return "ran";
        }

        @Locked(key = "work", name = "skipping", onBusy = OnBusy.SKIP)
        @Nullable
        String skipping() {
            return "ran";
        }
    }

    /** A connection factory of neither Lettuce nor Jedis. */
    static class ForeignFactory {

        static RedisConnectionFactory create() {
            return (RedisConnectionFactory) Proxy.newProxyInstance(
                    ForeignFactory.class.getClassLoader(),
                    new Class<?>[] {RedisConnectionFactory.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "equals" -> proxy == arguments[0];
                        case "toString" -> "foreign";
                        default -> throw new UnsupportedOperationException(method.getName());
                    });
        }
    }
}
