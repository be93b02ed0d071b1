package io.keyhold.spring.boot;

import io.keyhold.Keyhold;
import io.keyhold.console.ConsoleApi;
import io.keyhold.console.ConsoleOptions;
import jakarta.servlet.Servlet;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.Environment;

/** Serves the console below {@code keyhold.console.path}, for the only or primary client, if {@code keyhold.console.enabled} is true. */
@AutoConfiguration(after = KeyholdAutoConfiguration.class)
@ConditionalOnClass({ConsoleApi.class, Servlet.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty("keyhold.console.enabled")
@ConditionalOnSingleCandidate(Keyhold.class)
public class KeyholdConsoleAutoConfiguration {

    private static final Map<String, String> TOPOLOGIES = Map.of(
            "redis-sentinel", "sentinel",
            "rediss-sentinel", "sentinel",
            "redis-cluster", "cluster",
            "rediss-cluster", "cluster");

    /** Creates the auto-configuration. */
    public KeyholdConsoleAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    ConsoleApi keyholdConsole(Keyhold keyhold, KeyholdProperties properties, Environment environment) {
        return new ConsoleApi(
                keyhold,
                ConsoleOptions.builder()
                        .target(environment.getProperty("spring.application.name", "this application"))
                        .topology(topology(properties))
                        .allowRelease(properties.console().allowRelease())
                        .build());
    }

    /** Empty if the application's connection factory knows it. */
    private static String topology(KeyholdProperties properties) {
        if (properties.inMemory()) {
            return "memory";
        }
        if (!properties.uris().isEmpty()) {
            return "quorum";
        }
        String uri = properties.uri();
        return uri == null ? "" : TOPOLOGIES.getOrDefault(uri.substring(0, Math.max(0, uri.indexOf(':'))), "single");
    }

    @Bean
    ServletRegistrationBean<ConsoleServlet> keyholdConsoleServlet(ConsoleApi console, KeyholdProperties properties) {
        ServletRegistrationBean<ConsoleServlet> registration = new ServletRegistrationBean<>(
                new ConsoleServlet(console), properties.console().path() + "/*");
        registration.setName("keyhold-console");
        return registration;
    }

    @Bean
    StreamsEnd keyholdConsoleStreamsEnd(ConsoleApi console, ApplicationContext context) {
        return new StreamsEnd(console, context);
    }

    /**
     * Ends the streams of connected pages before the web server waits for its last requests. Child contexts, whose events arrive here too, may close
     * before.
     */
    record StreamsEnd(ConsoleApi console, ApplicationContext context)
            implements ApplicationListener<ContextClosedEvent> {

        @Override
        public void onApplicationEvent(ContextClosedEvent event) {
            if (event.getApplicationContext() == context) {
                console.close();
            }
        }
    }
}
