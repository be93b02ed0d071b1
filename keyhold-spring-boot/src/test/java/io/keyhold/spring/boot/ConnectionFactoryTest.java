package io.keyhold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedCertificates;
import io.keyhold.embedded.EmbeddedCluster;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedSentinel;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Locks on the servers of the application's connection factory. */
@SuppressWarnings("try")
final class ConnectionFactoryTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class, DataRedisAutoConfiguration.class, KeyholdAutoConfiguration.class));

    private ApplicationContextRunner using(String client) {
        // A busy machine may stall for longer than applications wait.
        return runner.withPropertyValues(
                "spring.data.redis.client-type=" + client,
                "spring.data.redis.timeout=30s",
                "spring.data.redis.connect-timeout=30s");
    }

    /** Locks, waits for a lock, and shows that the application sees the key: so both are on the same server, and in the same database. */
    private static void locksWhereTheApplicationIs(ApplicationContextRunner application) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            Keyhold keyhold = context.getBean(Keyhold.class);
            StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
            Lease lease = keyhold.lock("invoice:42").acquire();
            assertThat(redis.opsForValue().get("invoice:42")).startsWith(lease.token());
            var waiter = keyhold.lock("invoice:42").acquireAsync();
            lease.release();
            try (Lease next = waiter.join()) {
                assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
            }
            assertThat(redis.hasKey("invoice:42")).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void oneServerWithPasswordAndDatabase(String client) {
        try (EmbeddedRedis server =
                EmbeddedRedis.builder().option("requirepass", "secret").start()) {
            locksWhereTheApplicationIs(using(client)
                    .withPropertyValues(
                            "spring.data.redis.host=" + server.host(),
                            "spring.data.redis.port=" + server.port(),
                            "spring.data.redis.password=secret",
                            "spring.data.redis.database=3",
                            "spring.data.redis.client-name=app"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void connectionDetailsSayWhere(String client) {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            locksWhereTheApplicationIs(using(client)
                    .withPropertyValues("spring.data.redis.port=1")
                    .withBean(DataRedisConnectionDetails.class, () -> new DataRedisConnectionDetails() {
                        @Override
                        public Standalone getStandalone() {
                            return Standalone.of(server.host(), server.port());
                        }
                    }));
        }
    }

    @Test
    void uriWinsOverTheConnectionFactory() {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            runner.withPropertyValues(
                            "spring.data.redis.port=1",
                            "keyhold.uri=" + server.uri() + "?commandTimeout=30s&connectTimeout=30s")
                    .run(context -> context.getBean(Keyhold.class).lock("a").run(() -> {}));
        }
    }

    @Test
    void factoryOfLettuceWithAConfigurationOfNoCertainClass() {
        try (EmbeddedRedis server =
                EmbeddedRedis.builder().option("requirepass", "secret").start()) {
            locksWhereTheApplicationIs(using("lettuce")
                    .withBean(
                            LettuceConnectionFactory.class,
                            () -> new LettuceConnectionFactory(LettuceConnectionFactory.createRedisConfiguration(
                                    "redis://:secret@" + server.host() + ":" + server.port() + "/3"))));
        }
    }

    /** As a scope or an aspect makes it: its fields are not those of its target. */
    @Test
    void proxyOfAFactoryOfLettuce() {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            locksWhereTheApplicationIs(using("lettuce").withBean(LettuceConnectionFactory.class, () -> {
                ProxyFactory proxy = new ProxyFactory(new LettuceConnectionFactory(server.host(), server.port()));
                proxy.setProxyTargetClass(true);
                return (LettuceConnectionFactory) proxy.getProxy();
            }));
        }
    }

    @Test
    void masterAndReplicasWithoutSentinelsAreRefused() {
        using("lettuce")
                .withPropertyValues("spring.data.redis.masterreplica.nodes=db1:6379,db2:6379")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessage(
                                "Keyhold cannot use the Redis connection factory with its"
                                        + " RedisStaticMasterReplicaConfiguration: only one server, Sentinel and Cluster can hold locks.")
                        .asInstanceOf(InstanceOfAssertFactories.type(NoLockPlaceException.class))
                        .extracting(NoLockPlaceException::cure)
                        .asString()
                        .contains("keyhold.uri"));
    }

    @Test
    void missingDriverIsNamed() {
        using("lettuce")
                .withClassLoader(new FilteredClassLoader("io.keyhold.lettuce"))
                .run(
                        context -> assertThat(context.getStartupFailure())
                                .hasRootCauseMessage(
                                        "The application's Redis connection factory uses Lettuce, and Keyhold's driver for it is missing."));
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void sentinel(String client) {
        try (EmbeddedSentinel sentinel = EmbeddedSentinel.start()) {
            locksWhereTheApplicationIs(using(client)
                    .withPropertyValues(
                            "spring.data.redis.sentinel.master=" + sentinel.masterName(),
                            "spring.data.redis.sentinel.nodes=" + addresses(sentinel.sentinels())));
        }
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void cluster(String client) {
        try (EmbeddedCluster cluster = EmbeddedCluster.start()) {
            locksWhereTheApplicationIs(
                    using(client).withPropertyValues("spring.data.redis.cluster.nodes=" + addresses(cluster.nodes())));
        }
    }

    private static String addresses(List<EmbeddedRedis> servers) {
        return servers.stream()
                .map(server -> server.host() + ":" + server.port())
                .collect(Collectors.joining(","));
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void tlsByAnSslBundle(String client, @TempDir Path directory) {
        EmbeddedCertificates certificates = EmbeddedCertificates.create(directory);
        try (EmbeddedRedis server = EmbeddedRedis.builder()
                .tls(certificates)
                .demandClientCertificate()
                .start()) {
            locksWhereTheApplicationIs(using(client)
                    .withPropertyValues(
                            "spring.data.redis.host=localhost",
                            "spring.data.redis.port=" + server.tlsPort(),
                            "spring.data.redis.ssl.bundle=locks",
                            "spring.ssl.bundle.pem.locks.truststore.certificate=file:" + certificates.authority(),
                            "spring.ssl.bundle.pem.locks.keystore.certificate=file:" + certificates.clientCertificate(),
                            "spring.ssl.bundle.pem.locks.keystore.private-key=file:" + certificates.clientKey()));
        }
    }
}
