package io.keyhold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.InMemorySpace;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;

/** When the client is closed. */
final class LifecycleTest {

    private final InMemorySpace space = InMemorySpace.create();
    private final Keyhold other = Keyhold.builder().inMemory(space).build();
    private final List<String> seen = new ArrayList<>();
    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(KeyholdAutoConfiguration.class));

    private ApplicationContextRunner inSpace() {
        return runner.withBean(
                Keyhold.class, () -> Keyhold.builder().inMemory(space).build());
    }

    @Test
    void leasesEndBetweenExecutorsAndConnectionFactories() {
        BooleanSupplier locked = () -> other.lock("work").isLocked();
        inSpace()
                .withBean("webServer", Probe.class, () -> new Probe(SmartLifecycle.DEFAULT_PHASE - 2048, locked, seen))
                .withBean(
                        "executor",
                        Probe.class,
                        () -> new Probe(ExecutorConfigurationSupport.DEFAULT_PHASE, locked, seen))
                .withBean("connectionFactory", Probe.class, () -> new Probe(0, locked, seen))
                .run(context -> context.getBean(Keyhold.class).lock("work").acquire());
        assertThat(seen)
                .containsExactly(
                        SmartLifecycle.DEFAULT_PHASE - 2048 + ": locked true",
                        ExecutorConfigurationSupport.DEFAULT_PHASE + ": locked true",
                        "0: locked false");
    }

    @Test
    void waitersEndWhenTheContextCloses() throws InterruptedException {
        Lease held = other.lock("work").acquire();
        CompletableFuture<CompletableFuture<Lease>> waiting = new CompletableFuture<>();
        inSpace()
                .run(context -> waiting.complete(
                        context.getBean(Keyhold.class).lock("work").acquireAsync()));
        assertThatThrownBy(() -> waiting.join().get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(KeyholdClosedException.class);
        held.release();
    }

    @Test
    void stoppedContextMayStartAgain() {
        inSpace().run(context -> {
            ConfigurableApplicationContext application = context.getSourceApplicationContext();
            Lease lease = context.getBean(Keyhold.class).lock("work").acquire();
            application.stop();
            application.start();
            assertThat(lease.isHeldOnServer()).isTrue();
            lease.release();
        });
    }

    @Test
    void closedChildLeavesTheClientOfItsParentOpen() {
        inSpace().run(parent -> {
            Keyhold keyhold = parent.getBean(Keyhold.class);
            runner.withParent(parent)
                    .run(child -> assertThat(child.getBean(Keyhold.class)).isSameAs(keyhold));
            keyhold.lock("work").run(() -> {});
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void leasesAreReleasedWhileTheFactoryIsOpen(String client) {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold outside = Keyhold.connect(server.uri() + "?commandTimeout=30s&connectTimeout=30s")) {
            runner.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                    .withPropertyValues(
                            "spring.data.redis.client-type=" + client,
                            "spring.data.redis.timeout=30s",
                            "spring.data.redis.connect-timeout=30s",
                            "spring.data.redis.port=" + server.port())
                    .run(context -> {
                        context.getBean(Keyhold.class).lock("work").acquire();
                        assertThat(outside.lock("work").isLocked()).isTrue();
                    });
            assertThat(outside.lock("work").isLocked()).isFalse();
        }
    }

    /** Notes whether the lock is held when its phase stops. */
    record Probe(int phase, BooleanSupplier locked, List<String> seen) implements SmartLifecycle {

        @Override
        public void start() {}

        @Override
        public void stop() {
            seen.add(phase + ": locked " + locked.getAsBoolean());
        }

        @Override
        public boolean isRunning() {
            return true;
        }

        @Override
        public int getPhase() {
            return phase;
        }
    }
}
