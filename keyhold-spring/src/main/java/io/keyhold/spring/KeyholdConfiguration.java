package io.keyhold.spring;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** What {@link EnableKeyhold} imports: the post-processor that puts {@link Locked} and {@link Limited} methods under their locks. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class KeyholdConfiguration {

    /** Creates the configuration. */
    public KeyholdConfiguration() {}

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static HoldPostProcessor keyholdPostProcessor() {
        return new HoldPostProcessor();
    }
}
