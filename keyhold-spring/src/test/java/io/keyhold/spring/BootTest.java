package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.embedded.EmbeddedRedis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** An application of Spring Boot that has this module and no starter: the only way on Boot 3.5. */
final class BootTest {

    @Test
    void lockIsReleasedAfterTheCommit() {
        List<String> seen = new ArrayList<>();
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold outside = Keyhold.connect(server.uri() + "?commandTimeout=30s");
                ConfigurableApplicationContext application = SpringApplication.run(
                        App.class,
                        "--locks=" + server.uri() + "?commandTimeout=30s",
                        "--spring.main.banner-mode=off")) {
            application.getBean(TransactionTest.Accounts.class).book(1, () -> {
                seen.add("inside, locked: " + outside.lock("account:1").isLocked());
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        seen.add("committed, locked: "
                                + outside.lock("account:1").isLocked());
                    }
                });
            });
            assertThat(outside.lock("account:1").isLocked()).isFalse();
        }
        assertThat(seen).containsExactly("inside, locked: true", "committed, locked: true");
    }

    @Test
    void versionIsTheOneOfThisRun() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("keyhold.boot.version"));
    }

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableKeyhold
    @Import(TransactionTest.Beans.class)
    static class App {

        @Bean
        static Keyhold keyhold(Environment environment) {
            return Keyhold.connect(environment.getRequiredProperty("locks"));
        }
    }
}
