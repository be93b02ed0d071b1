package io.keyhold.spring.boot;

import io.keyhold.Keyhold;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/** Adds the health of every client, as {@code keyhold}. */
@AutoConfiguration(after = KeyholdAutoConfiguration.class)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Keyhold.class)
@ConditionalOnEnabledHealthIndicator("keyhold")
public class KeyholdHealthAutoConfiguration
        extends CompositeHealthContributorConfiguration<KeyholdHealthIndicator, Keyhold> {

    /** Creates the auto-configuration. */
    public KeyholdHealthAutoConfiguration() {
        super(KeyholdHealthIndicator::new);
    }

    @Bean
    @ConditionalOnMissingBean(name = {"keyholdHealthIndicator", "keyholdHealthContributor"})
    HealthContributor keyholdHealthContributor(Map<String, Keyhold> clients) {
        return createContributor(clients);
    }
}
