package io.keyhold.tests.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedSentinel;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.lettuce.LettuceDriver;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisSentinelClient;

/** An application's own client of sentinels: Keyhold uses it, and follows the master. */
@Tag("full")
class SentinelClientTest {

    private static final String KEY = "invoice:42";

    @Test
    void jedisClientIsFollowed() throws Exception {
        try (EmbeddedSentinel sentinel = EmbeddedSentinel.start();
                RedisSentinelClient first = jedis(sentinel);
                RedisSentinelClient second = jedis(sentinel);
                Keyhold holder =
                        Keyhold.builder().driver(JedisDriver.using(first)).build();
                Keyhold waiter =
                        Keyhold.builder().driver(JedisDriver.using(second)).build()) {
            handsOver(sentinel, holder, waiter);
        }
    }

    private static RedisSentinelClient jedis(EmbeddedSentinel sentinel) {
        Set<HostAndPort> addresses =
                sentinel.sentinels().stream().map(PatientJedis::address).collect(Collectors.toSet());
        return RedisSentinelClient.builder()
                .masterName(sentinel.masterName())
                .sentinels(addresses)
                .sentinelClientConfig(PatientJedis.CONFIG)
                .clientConfig(PatientJedis.CONFIG)
                .build();
    }

    @Test
    void lettuceClientIsFollowed() throws Exception {
        RedisClient client = RedisClient.create();
        try (EmbeddedSentinel sentinel = EmbeddedSentinel.start();
                Keyhold holder = lettuce(client, sentinel);
                Keyhold waiter = lettuce(client, sentinel)) {
            handsOver(sentinel, holder, waiter);
        } finally {
            client.shutdown();
        }
    }

    private static Keyhold lettuce(RedisClient client, EmbeddedSentinel sentinel) {
        RedisURI.Builder uri =
                RedisURI.builder().withSentinelMasterId(sentinel.masterName()).withTimeout(Duration.ofSeconds(20));
        sentinel.sentinels().forEach(each -> uri.withSentinel(each.host(), each.port()));
        return Keyhold.builder()
                .driver(LettuceDriver.using(client, uri.build()))
                .build();
    }

    /** By hand-over through the grant channel, before and after a failover. */
    private static void handsOver(EmbeddedSentinel sentinel, Keyhold holder, Keyhold waiter) throws Exception {
        long before = handOver(sentinel.master(), holder, waiter);
        EmbeddedRedis former = sentinel.master();
        EmbeddedRedis master = sentinel.failover();
        while (!sentinel.replicas().contains(former)) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(handOver(master, holder, waiter)).isGreaterThan(before);
    }

    private static long handOver(EmbeddedRedis master, Keyhold holder, Keyhold waiter) throws Exception {
        Lease held = lock(holder).acquire();
        CompletableFuture<Lease> waiting = lock(waiter).acquireAsync();
        try (Console console = new Console(master.uri())) {
            assertThat(console.text("GET", KEY)).startsWith(held.token() + " ");
            new ServerQueue(console, KEY).await(1);
            assertThat(console.text("PUBSUB", "CHANNELS", "keyhold:grants:*")).contains("keyhold:grants:");
            held.release();
            Lease lease = waiting.get(1, TimeUnit.MINUTES);
            assertThat(console.text("GET", KEY)).startsWith(lease.token() + " ");
            lease.release();
            return lease.fencingToken();
        }
    }

    private static DistributedLock lock(Keyhold keyhold) {
        return keyhold.lock(KEY).with(options -> options.lease(Duration.ofMinutes(2)));
    }
}
