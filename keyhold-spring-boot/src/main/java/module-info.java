/** Keyhold in Spring Boot. What an application does not have is left out. */
module io.keyhold.spring.boot {
    requires transitive io.keyhold;
    requires io.keyhold.spring;
    requires spring.beans;
    requires spring.boot;
    requires spring.boot.autoconfigure;
    requires spring.context;
    requires spring.core;
    requires static com.fasterxml.jackson.annotation;
    requires static io.keyhold.console;
    requires static io.keyhold.jedis;
    requires static io.keyhold.lettuce;
    requires static io.keyhold.micrometer;
    requires static io.keyhold.shedlock;
    requires static io.keyhold.spring.integration;
    requires static lettuce.core;
    requires static micrometer.core;
    requires static micrometer.observation;
    requires static jakarta.servlet;
    requires static org.apache.commons.pool2;
    requires static org.jspecify;
    requires static redis.clients.jedis;
    requires static net.javacrumbs.shedlock.core;
    requires static spring.boot.actuator;
    requires static spring.boot.actuator.autoconfigure;
    requires static spring.boot.health;
    requires static spring.boot.test;
    requires static spring.data.redis;
    requires static spring.integration.core;

    exports io.keyhold.spring.boot;
    exports io.keyhold.spring.boot.test;

    opens io.keyhold.spring.boot to
            spring.beans,
            spring.boot,
            spring.context,
            spring.core;
}
