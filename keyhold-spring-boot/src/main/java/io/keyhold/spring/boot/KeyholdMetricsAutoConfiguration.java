package io.keyhold.spring.boot;

import io.keyhold.Keyhold;
import io.keyhold.micrometer.KeyholdMetrics;
import io.keyhold.micrometer.KeyholdObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Adds meters and observations to the client: they are listeners, which {@link KeyholdAutoConfiguration} collects. */
@AutoConfiguration(
        before = KeyholdAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnClass({KeyholdMetrics.class, MeterRegistry.class})
@ConditionalOnProperty(name = "keyhold.enabled", matchIfMissing = true)
public class KeyholdMetricsAutoConfiguration {

    /** Creates the auto-configuration. */
    public KeyholdMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnMissingBean
    KeyholdMetrics keyholdMetrics(MeterRegistry registry) {
        return new KeyholdMetrics(registry);
    }

    /** The nodes of a quorum are a meter that only the client can tell. */
    @Bean
    @ConditionalOnBean(KeyholdMetrics.class)
    SmartInitializingSingleton keyholdQuorumMetrics(ObjectProvider<Keyhold> client, KeyholdMetrics metrics) {
        return () -> client.ifUnique(metrics::bindTo);
    }

    @Bean
    @ConditionalOnBean(ObservationRegistry.class)
    @ConditionalOnMissingBean
    KeyholdObservations keyholdObservations(ObservationRegistry registry) {
        return new KeyholdObservations(registry);
    }
}
