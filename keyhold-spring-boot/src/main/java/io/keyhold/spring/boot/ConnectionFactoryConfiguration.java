package io.keyhold.spring.boot;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/** Finds the place of the locks by the application's connection factory. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisConnectionFactory.class)
class ConnectionFactoryConfiguration {

    private static final String LETTUCE = "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory";
    private static final String JEDIS = "org.springframework.data.redis.connection.jedis.JedisConnectionFactory";

    @Bean
    @Lazy
    @ConditionalOnBean(RedisConnectionFactory.class)
    LockPlace keyholdConnectionFactoryPlace(
            ObjectProvider<RedisConnectionFactory> factories, ApplicationContext context) {
        RedisConnectionFactory factory = factories.getIfUnique();
        if (factory == null) {
            throw new NoLockPlaceException(
                    "Keyhold does not know where the locks live: there are several Redis connection factories, and none is primary.",
                    "Make one of them @Primary, set keyhold.uri, or define a bean of the type io.keyhold.Keyhold.");
        }
        if (isA(factory, LETTUCE)) {
            need(context, "io.keyhold.lettuce.LettuceDriver", "keyhold-lettuce", "Lettuce");
            return new LettucePlace(factory);
        }
        if (isA(factory, JEDIS)) {
            need(context, "io.keyhold.jedis.JedisDriver", "keyhold-jedis", "Jedis");
            return new JedisPlace(factory);
        }
        throw new NoLockPlaceException(
                "Keyhold cannot use the Redis connection factory "
                        + factory.getClass().getName() + ".",
                "Only those of Lettuce and Jedis can be used. Set keyhold.uri, or define a bean of the type io.keyhold.Keyhold.");
    }

    private static boolean isA(Object factory, String type) {
        ClassLoader loader = factory.getClass().getClassLoader();
        return ClassUtils.isPresent(type, loader)
                && ClassUtils.resolveClassName(type, loader).isInstance(factory);
    }

    private static void need(ApplicationContext context, String driver, String artifact, String client) {
        if (!ClassUtils.isPresent(driver, context.getClassLoader())) {
            throw new NoLockPlaceException(
                    "The application's Redis connection factory uses " + client
                            + ", and Keyhold's driver for it is missing.",
                    "Add the dependency io.keyhold:" + artifact
                            + ", or set keyhold.uri to connect without the factory.");
        }
    }
}
