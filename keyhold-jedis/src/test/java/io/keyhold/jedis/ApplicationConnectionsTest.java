package io.keyhold.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.util.Pool;

/** A connection that the application lends returns to its pool, also after an exception. */
@Timeout(180)
class ApplicationConnectionsTest {

    private static EmbeddedRedis server;

    @BeforeAll
    static void startServer() {
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void errorWhileLearningAddressLeaksNoConnection() {
        try (Pool<Connection> pool = new Pool<>(new Connections());
                RedisDriver driver = JedisDriver.using(pool)) {
            assertThatThrownBy(() -> ping(driver, CallOptions.of(CallMode.BLOCKING)))
                    .hasCauseInstanceOf(RedisConnectionException.class)
                    .hasStackTraceContaining("no name on purpose");
            assertThat(pool.getNumActive()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void callbackThatThrowsLeaksNoConnection(CallMode mode) {
        try (RedisClient client = ApplicationClient.to(server.host(), server.port());
                RedisDriver driver = JedisDriver.using(client)) {
            CallOptions faulty = new CallOptions(mode, CallLane.REQUEST, () -> {
                throw new AssertionError("on purpose");
            });
            assertThatThrownBy(() -> ping(driver, faulty)).hasCauseInstanceOf(AssertionError.class);
            assertThatThrownBy(() -> driver.withSession(faulty, session -> CompletableFuture.completedFuture(1))
                            .toCompletableFuture()
                            .join())
                    .hasCauseInstanceOf(AssertionError.class);
            assertThat(client.getPool().getNumActive()).isZero();
            assertThat(client.getPool().getNumIdle()).isEqualTo(1);
        }
    }

    /** An application's client closes the pool of a node that leaves the cluster, and opens another when the node returns. */
    @Test
    void nodeThatReturnsHasItsNewPool() {
        HostAndPort address = new HostAndPort(server.host(), server.port());
        Map<String, ConnectionPool> pools = new ConcurrentHashMap<>();
        pools.put(address.toString(), ApplicationClient.pool(address));
        try (RedisCluster cluster = JedisDriver.onNodes(() -> pools);
                RedisDriver driver = cluster.open(new RedisAddress(server.host(), server.port()))) {
            CallOptions options = CallOptions.of(CallMode.BLOCKING);
            assertThat(ping(driver, options)).isEqualTo("PONG");
            Objects.requireNonNull(pools.remove(address.toString())).close();
            driver.trim();
            assertThatThrownBy(() -> ping(driver, options))
                    .hasCauseInstanceOf(RedisConnectionException.class)
                    .hasMessageContaining("give the client a topologyRefreshPeriod");
            pools.put(address.toString(), ApplicationClient.pool(address));
            assertThat(ping(driver, options)).isEqualTo("PONG");
        } finally {
            pools.values().forEach(ConnectionPool::close);
        }
    }

    /** Java closes the socket of a virtual thread that touches it while interrupted. The connection is checked before a release. */
    @Test
    void interruptDuringWaitForPoolIsPutAside() throws Exception {
        List<Boolean> interrupts = Collections.synchronizedList(new ArrayList<>());
        GenericObjectPoolConfig<Connection> one = new GenericObjectPoolConfig<>();
        one.setMaxTotal(1);
        one.setMaxWait(Duration.ofMinutes(1));
        try (Pool<Connection> pool = new Pool<>(new RecordingConnections(interrupts), one);
                RedisDriver driver = JedisDriver.using(pool)) {
            Connection taken = pool.borrowObject();
            CompletableFuture<Boolean> keptInterrupt = new CompletableFuture<>();
            Thread waiter = new Thread(() -> {
                driver.call(RedisCall.of("PING"), CallOptions.of(CallMode.BLOCKING, CallLane.RELEASE));
                keptInterrupt.complete(Thread.interrupted());
            });
            waiter.start();
            while (waiter.isAlive() && waiter.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            waiter.interrupt();
            pool.returnObject(taken);
            assertThat(keptInterrupt.join()).isTrue();
            assertThat(interrupts).containsExactly(false, false);
        }
    }

    private static Object ping(RedisDriver driver, CallOptions options) {
        return driver.call(RedisCall.of("PING"), options).toCompletableFuture().join();
    }

    /** An application's own way of opening sockets, which cannot say what it connects to. */
    private static final class Connections extends BasePooledObjectFactory<Connection> {

        @Override
        public Connection create() {
            return new Connection(new NamelessSockets());
        }

        @Override
        public PooledObject<Connection> wrap(Connection connection) {
            return new DefaultPooledObject<>(connection);
        }
    }

    /** Connections that note whether their thread is interrupted when a command is sent. */
    private static final class RecordingConnections extends BasePooledObjectFactory<Connection> {

        private final List<Boolean> interrupts;

        RecordingConnections(List<Boolean> interrupts) {
            this.interrupts = interrupts;
        }

        @Override
        public Connection create() {
            return new Connection(new HostAndPort(server.host(), server.port())) {
                @Override
                public void sendCommand(CommandArguments arguments) {
                    interrupts.add(Thread.currentThread().isInterrupted());
                    super.sendCommand(arguments);
                }
            };
        }

        @Override
        public PooledObject<Connection> wrap(Connection connection) {
            return new DefaultPooledObject<>(connection);
        }
    }

    private static final class NamelessSockets implements JedisSocketFactory {

        @Override
        public Socket createSocket() {
            try {
                return new Socket(server.host(), server.port());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String toString() {
            throw new AssertionError("no name on purpose");
        }
    }
}
