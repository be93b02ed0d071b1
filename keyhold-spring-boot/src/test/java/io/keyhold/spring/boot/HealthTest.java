package io.keyhold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.embedded.EmbeddedRedis;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** What the health of the clients says. */
final class HealthTest {

    /** A busy machine may stall for longer than applications wait. */
    private static final String PATIENT = "?commandTimeout=30s&connectTimeout=30s";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(KeyholdAutoConfiguration.class, KeyholdHealthAutoConfiguration.class));

    private static Health health(ApplicationContext context) {
        return Objects.requireNonNull(
                ((HealthIndicator) context.getBean("keyholdHealthContributor", HealthContributor.class)).health(true));
    }

    @Test
    void upWhileTheServerRepliesAndDownWhenItDoesNot() {
        EmbeddedRedis server = EmbeddedRedis.start();
        runner.withPropertyValues("keyhold.uri=" + server.uri() + PATIENT).run(context -> {
            context.getBean(Keyhold.class).lock("a").acquire();
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(health(context).getDetails()).containsEntry("leases", 1);
            server.close();
            assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
        });
    }

    @Test
    void quorumNeedsAMajority() {
        try (EmbeddedRedis one = EmbeddedRedis.start();
                EmbeddedRedis two = EmbeddedRedis.start();
                EmbeddedRedis three = EmbeddedRedis.start()) {
            runner.withPropertyValues(
                            "keyhold.uris=" + one.uri() + PATIENT + "," + two.uri() + PATIENT + "," + three.uri()
                                    + PATIENT,
                            "keyhold.quorum.node-timeout=10s",
                            "keyhold.quorum.admit-fresh-nodes=true")
                    .run(context -> {
                        context.getBean(Keyhold.class).lock("a").run(() -> {});
                        assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                        one.kill();
                        assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                        assertThat(health(context).getDetails())
                                .extractingByKey("nodes")
                                .asString()
                                .contains("voting", "unreachable");
                        two.kill();
                        assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
                    });
        }
    }

    @Test
    void severalClientsAreShownByName() {
        runner.withBean("one", Keyhold.class, Keyhold::inMemory)
                .withBean("two", Keyhold.class, Keyhold::inMemory)
                .run(context -> assertThat(context.getBean("keyholdHealthContributor"))
                        .isInstanceOfSatisfying(
                                CompositeHealthContributor.class,
                                composite -> assertThat(composite.stream().map(entry -> entry.name()))
                                        .containsExactlyInAnyOrder("one", "two")));
    }

    @Test
    void canBeSwitchedOff() {
        ApplicationContextRunner inMemory = runner.withPropertyValues("keyhold.in-memory=true");
        inMemory.withPropertyValues("management.health.keyhold.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthContributor.class));
        inMemory.withClassLoader(new FilteredClassLoader(HealthContributor.class))
                .run(context -> assertThat(context).hasNotFailed());
    }
}
