package io.keyhold.spring.boot;

import io.keyhold.KeyholdBuilder;
import io.keyhold.jedis.JedisDriver;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/** The servers of a Jedis connection factory. It does not show its client, so this is another one of the same configuration. */
final class JedisPlace implements LockPlace {

    /** Enough for the concurrent calls of a client, its renewals and its grant channel. */
    private static final int MOST_CONNECTIONS = 32;

    private final JedisConnectionFactory factory;
    private Runnable close = () -> {};

    JedisPlace(RedisConnectionFactory factory) {
        this.factory = (JedisConnectionFactory) factory;
    }

    @Override
    public void set(KeyholdBuilder builder) {
        RedisClusterConfiguration cluster = factory.getClusterConfiguration();
        RedisSentinelConfiguration sentinels = factory.getSentinelConfiguration();
        if (cluster != null) {
            RedisClusterClient client = cluster(cluster);
            close = client::close;
            builder.cluster(JedisDriver.usingCluster(client));
        } else if (sentinels != null) {
            SentineledConnectionProvider provider = sentinels(sentinels);
            close = provider::close;
            builder.driver(JedisDriver.using(provider));
        } else {
            ConnectionPool pool = server();
            close = pool::close;
            builder.driver(JedisDriver.using(pool));
        }
    }

    private ConnectionPool server() {
        RedisStandaloneConfiguration server = Objects.requireNonNull(factory.getStandaloneConfiguration());
        DefaultJedisClientConfig.Builder config =
                config(server.getUsername(), server.getPassword()).database(server.getDatabase());
        return new ConnectionPool(new HostAndPort(server.getHostName(), server.getPort()), config.build(), pool());
    }

    private SentineledConnectionProvider sentinels(RedisSentinelConfiguration sentinels) {
        DefaultJedisClientConfig.Builder config =
                config(sentinels.getUsername(), sentinels.getPassword()).database(sentinels.getDatabase());
        return new SentineledConnectionProvider(
                Objects.requireNonNull(sentinels.getRequiredMaster().getName(), "name of the master"),
                config.build(),
                pool(),
                addresses(sentinels.getSentinels()),
                config(sentinels.getSentinelUsername(), sentinels.getSentinelPassword())
                        .build());
    }

    private RedisClusterClient cluster(RedisClusterConfiguration cluster) {
        return RedisClusterClient.builder()
                .nodes(addresses(cluster.getClusterNodes()))
                .clientConfig(
                        config(cluster.getUsername(), cluster.getPassword()).build())
                .poolConfig(pool())
                .build();
    }

    private static Set<HostAndPort> addresses(Collection<RedisNode> nodes) {
        return nodes.stream()
                .map(node -> new HostAndPort(node.getRequiredHost(), node.getRequiredPort()))
                .collect(Collectors.toSet());
    }

    private DefaultJedisClientConfig.Builder config(@Nullable String user, RedisPassword password) {
        JedisClientConfiguration application = factory.getClientConfiguration();
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                .connectionTimeoutMillis(millis(application.getConnectTimeout()))
                .socketTimeoutMillis(millis(application.getReadTimeout()))
                .ssl(application.isUseSsl());
        if (user != null && !user.isEmpty()) {
            config.user(user);
        }
        password.map(String::new).ifPresent(config::password);
        application.getClientName().ifPresent(config::clientName);
        application.getSslSocketFactory().ifPresent(config::sslSocketFactory);
        application.getSslParameters().ifPresent(config::sslParameters);
        application.getHostnameVerifier().ifPresent(config::hostnameVerifier);
        application.getClientConfigCustomizer().ifPresent(customizer -> customizer.customize(config));
        return config;
    }

    private static int millis(Duration timeout) {
        return Math.toIntExact(timeout.toMillis());
    }

    private static ConnectionPoolConfig pool() {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(MOST_CONNECTIONS);
        pool.setMaxIdle(MOST_CONNECTIONS);
        pool.setJmxEnabled(false);
        return pool;
    }

    @Override
    public void close() {
        close.run();
    }
}
