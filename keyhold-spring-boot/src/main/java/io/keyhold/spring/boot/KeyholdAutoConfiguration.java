package io.keyhold.spring.boot;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.KeyholdListener;
import io.keyhold.spring.KeyholdConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Configures a {@link Keyhold} client, and enables {@link io.keyhold.spring.Locked} and {@link io.keyhold.spring.Limited}. */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnProperty(name = "keyhold.enabled", matchIfMissing = true)
@EnableConfigurationProperties(KeyholdProperties.class)
@Import({KeyholdConfiguration.class, ConnectionFactoryConfiguration.class})
public class KeyholdAutoConfiguration {

    /** Creates the auto-configuration. */
    public KeyholdAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    Keyhold keyhold(
            KeyholdProperties properties,
            Environment environment,
            ObjectProvider<LockPlace> connectionFactory,
            ObjectProvider<KeyholdListener> listeners,
            ObjectProvider<KeyholdBuilderCustomizer> customizers) {
        KeyholdBuilder builder =
                ClientProperties.builder(properties, environment.getProperty("spring.application.name"));
        if (!ClientProperties.setPlace(properties, builder)) {
            connectionFactory.getIfAvailable(KeyholdAutoConfiguration::noPlace).set(builder);
        }
        listeners.orderedStream().forEach(builder::listener);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    private static LockPlace noPlace() {
        throw new NoLockPlaceException(
                "Keyhold does not know where the locks live: there is neither a URI nor a Redis connection factory.",
                """
                Do one of these:
                  - set keyhold.uri, such as redis://localhost:6379 (or keyhold.uris for a quorum of servers)
                  - add spring-boot-starter-data-redis, and set spring.data.redis.* or spring.data.redis.url: Keyhold uses its connection factory
                  - set keyhold.in-memory=true, if locks inside this JVM are enough, as in tests
                  - define a bean of the type io.keyhold.Keyhold
                  - set keyhold.enabled=false to do without locks""");
    }

    @Bean
    KeyholdLifecycle keyholdLifecycle(ConfigurableApplicationContext context) {
        return new KeyholdLifecycle(context);
    }
}
