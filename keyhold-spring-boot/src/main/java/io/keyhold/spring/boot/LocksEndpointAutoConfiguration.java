package io.keyhold.spring.boot;

import io.keyhold.Keyhold;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/** Adds the endpoint {@code locks} for the only or primary client. */
@AutoConfiguration(after = KeyholdAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnSingleCandidate(Keyhold.class)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
public class LocksEndpointAutoConfiguration {

    /** Creates the auto-configuration. */
    public LocksEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    LocksEndpoint locksEndpoint(Keyhold keyhold, ApplicationEventPublisher events) {
        return new LocksEndpoint(keyhold, events);
    }
}
