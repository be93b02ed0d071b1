package io.keyhold.spring.boot;

import io.keyhold.Keyhold;
import io.keyhold.shedlock.KeyholdLockProvider;
import io.keyhold.spring.integration.KeyholdLockRegistry;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.LockRegistry;

/** Adds what other libraries ask for, if the application has the module for them and nothing of its own. */
@AutoConfiguration(after = KeyholdAutoConfiguration.class)
@ConditionalOnSingleCandidate(Keyhold.class)
public class KeyholdIntegrationsAutoConfiguration {

    /** Creates the auto-configuration. */
    public KeyholdIntegrationsAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({LockProvider.class, KeyholdLockProvider.class})
    static class ShedLockConfiguration {

        @Bean
        @ConditionalOnMissingBean(LockProvider.class)
        KeyholdLockProvider keyholdLockProvider(Keyhold keyhold) {
            return new KeyholdLockProvider(keyhold);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({LockRegistry.class, KeyholdLockRegistry.class})
    static class SpringIntegrationConfiguration {

        @Bean
        @ConditionalOnMissingBean(LockRegistry.class)
        KeyholdLockRegistry keyholdLockRegistry(Keyhold keyhold) {
            return new KeyholdLockRegistry(keyhold);
        }
    }
}
