package io.keyhold.spring.boot;

import io.keyhold.KeyholdBuilder;
import io.keyhold.lettuce.LettuceDriver;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.lang.reflect.Field;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The servers of a Lettuce connection factory, with the threads and the TLS settings of its client. */
final class LettucePlace implements LockPlace {

    private final LettuceConnectionFactory factory;

    LettucePlace(RedisConnectionFactory factory) {
        this.factory = (LettuceConnectionFactory) factory;
    }

    @Override
    public void set(KeyholdBuilder builder) {
        factory.start(); // A factory that does not start early has no client before the context has started.
        AbstractRedisClient client = factory.getRequiredNativeClient();
        RedisConfiguration configuration = configuration(factory);
        if (configuration instanceof RedisClusterConfiguration cluster) {
            builder.cluster(LettuceDriver.usingCluster(
                    (RedisClusterClient) client,
                    cluster.getClusterNodes().stream()
                            .map(node -> server(node, cluster))
                            .toList()));
            return;
        }
        if (!(client instanceof RedisClient single)) {
            throw new NoLockPlaceException(
                    "Keyhold cannot use the Lettuce client " + client.getClass().getName() + ".", "Set keyhold.uri.");
        }
        builder.driver(LettuceDriver.using(single, uri(configuration)));
    }

    /**
     * Reads the field, because there is no getter for all kinds of configurations: for one without, such as that of a master with replicas, {@link
     * LettuceConnectionFactory#getStandaloneConfiguration} returns a default, a server on localhost.
     */
    private static RedisConfiguration configuration(LettuceConnectionFactory factory) {
        if (AopUtils.isAopProxy(factory)) { // Its own field is not that of its target.
            return byGetters(factory);
        }
        try {
            // A native image finds the field by these constants.
            Field field = LettuceConnectionFactory.class.getDeclaredField("configuration");
            field.setAccessible(true);
            return (RedisConfiguration) field.get(factory);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return byGetters(factory); // Another version of Spring Data Redis may have no such field.
        }
    }

    private static RedisConfiguration byGetters(LettuceConnectionFactory factory) {
        RedisConfiguration cluster = factory.getClusterConfiguration();
        RedisConfiguration sentinels = factory.getSentinelConfiguration();
        RedisConfiguration socket = factory.getSocketConfiguration();
        if (cluster != null) {
            return cluster;
        }
        return sentinels != null ? sentinels : socket != null ? socket : factory.getStandaloneConfiguration();
    }

    private RedisURI uri(RedisConfiguration configuration) {
        if (configuration instanceof RedisSentinelConfiguration sentinels) {
            return complete(sentinels(sentinels), sentinels, sentinels.getDatabase());
        }
        if (configuration instanceof RedisSocketConfiguration socket) {
            return complete(RedisURI.Builder.socket(socket.getSocket()), socket, socket.getDatabase());
        }
        if (configuration instanceof RedisStandaloneConfiguration server) {
            return complete(
                    RedisURI.builder().withHost(server.getHostName()).withPort(server.getPort()),
                    server,
                    server.getDatabase());
        }
        throw new NoLockPlaceException(
                "Keyhold cannot use the Redis connection factory with its "
                        + configuration.getClass().getSimpleName()
                        + ": only one server, Sentinel and Cluster can hold locks.",
                "Set keyhold.uri to the master, or to its sentinels, or define a bean of the type io.keyhold.Keyhold.");
    }

    private RedisURI server(RedisNode node, RedisClusterConfiguration cluster) {
        return complete(
                RedisURI.builder().withHost(node.getRequiredHost()).withPort(node.getRequiredPort()), cluster, 0);
    }

    private RedisURI.Builder sentinels(RedisSentinelConfiguration configuration) {
        RedisURI.Builder builder = RedisURI.builder().withSentinelMasterId(masterName(configuration));
        for (RedisNode node : configuration.getSentinels()) {
            RedisURI.Builder sentinel = secured(RedisURI.builder()
                    .withHost(node.getRequiredHost())
                    .withPort(node.getRequiredPort())
                    .withTimeout(factory.getClientConfiguration().getCommandTimeout()));
            authenticate(sentinel, configuration.getSentinelUsername(), configuration.getSentinelPassword());
            builder.withSentinel(sentinel.build());
        }
        return builder;
    }

    private static String masterName(RedisSentinelConfiguration configuration) {
        return Objects.requireNonNull(configuration.getRequiredMaster().getName(), "name of the master");
    }

    private RedisURI complete(RedisURI.Builder builder, RedisConfiguration configuration, int database) {
        LettuceClientConfiguration client = factory.getClientConfiguration();
        secured(builder).withDatabase(database).withTimeout(client.getCommandTimeout());
        client.getClientName().ifPresent(builder::withClientName);
        client.getRedisCredentialsProviderFactory()
                .ifPresentOrElse(
                        credentials -> builder.withAuthentication(credentials.createCredentialsProvider(configuration)),
                        () -> authenticate(
                                builder,
                                RedisConfiguration.getUsernameOrElse(configuration, () -> null),
                                RedisConfiguration.getPasswordOrElse(configuration, RedisPassword::none)));
        return builder.build();
    }

    private RedisURI.Builder secured(RedisURI.Builder builder) {
        LettuceClientConfiguration client = factory.getClientConfiguration();
        return builder.withSsl(client.isUseSsl())
                .withVerifyPeer(client.getVerifyMode())
                .withStartTls(client.isStartTls());
    }

    private static void authenticate(RedisURI.Builder builder, @Nullable String user, RedisPassword password) {
        password.toOptional().ifPresent(secret -> {
            if (user != null && !user.isEmpty()) {
                builder.withAuthentication(user, secret);
            } else {
                builder.withPassword(secret);
            }
        });
    }
}
