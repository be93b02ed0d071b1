package io.keyhold.example.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;

/** One instance of the shop. It needs a database and the URI of a Redis server, and no code for locks beside {@code @Locked}. */
@SpringBootApplication
@EnableScheduling
public class Shop {

    /** Creates the configuration. */
    public Shop() {}

    /** Starts an instance with this name, and with properties as {@code name=value}. */
    static ConfigurableApplicationContext start(String name, String... properties) {
        return new SpringApplicationBuilder(Shop.class)
                .properties("spring.application.name=" + name)
                .properties(properties)
                .run();
    }
}
