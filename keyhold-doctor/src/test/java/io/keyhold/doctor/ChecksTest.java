package io.keyhold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.QuorumOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Each check on a real server that fails it, and on one that passes it. */
@Execution(ExecutionMode.CONCURRENT)
final class ChecksTest {

    private final EmbeddedRedis redis = EmbeddedRedis.start();
    private final Server server = server(redis.uri());

    @AfterEach
    void close() {
        server.close();
        redis.close();
    }

    /** Adds timeouts that a pause of a busy machine does not exceed. */
    private static String patient(String uri) {
        return uri + "?connectTimeout=30s&commandTimeout=30s";
    }

    private static Server server(String uri) {
        return new Server(JedisDriver.open(RedisUri.parse(patient(uri))));
    }

    private Server altered(BiFunction<RedisCall, Object, Object> alteration) {
        return new Server(new AlteredDriver(JedisDriver.open(RedisUri.parse(patient(redis.uri()))), alteration));
    }

    private void set(String name, String value) {
        server.call("CONFIG", "SET", name, value);
    }

    private static void assertLevel(Level level, Check check, String... seen) {
        Finding finding = Checks.result(check);
        assertThat(finding.level()).as(finding.toString()).isEqualTo(level);
        assertThat(finding.check()).isEqualTo(check.name());
        assertThat(List.of(seen)).allSatisfy(part -> assertThat(finding.seen()).contains(part));
        assertThat(finding.meaning().isEmpty()).isEqualTo(level == Level.OK);
        assertThat(finding.cure().isEmpty()).isEqualTo(level == Level.OK);
    }

    @Test
    void connection() {
        assertLevel(Level.OK, new ConnectionCheck(server));
        redis.kill();
        assertLevel(Level.FAIL, new ConnectionCheck(server), "127.0.0.1:" + redis.port());
    }

    @Test
    void connectionWithoutPassword() {
        set("requirepass", "secret");
        try (Server unauthenticated = server(redis.uri());
                Server wrong = server("redis://:wrong@127.0.0.1:" + redis.port())) {
            assertLevel(Level.FAIL, new ConnectionCheck(unauthenticated), "NOAUTH");
            assertLevel(Level.FAIL, new ConnectionCheck(wrong), "WRONGPASS");
        }
    }

    @Test
    void connectionThatIsNotOpened() {
        try (Server needless = server("redis://:needless@127.0.0.1:" + redis.port());
                Server another = server(redis.uri() + "/16")) {
            assertLevel(Level.FAIL, new ConnectionCheck(needless), "without any password configured");
            assertLevel(Level.FAIL, new ConnectionCheck(another), "DB index");
        }
    }

    @Test
    void serverThatIsLoadingReplies() {
        BiFunction<RedisCall, Object, Object> loading = (call, reply) -> {
            if (call.command().equals("PING")) {
                throw new RedisErrorException("LOADING Redis is loading the dataset in memory");
            }
            return reply;
        };
        try (Server busy = altered(loading)) {
            assertLevel(Level.OK, new ConnectionCheck(busy), "the server replies");
        }
    }

    @Test
    void version() {
        assertLevel(Level.OK, new VersionCheck(server), "Redis ");
        BiFunction<RedisCall, Object, Object> old = (call, reply) -> reply.toString()
                .replaceFirst("redis_version:.*", "redis_version:6.0.16")
                .replaceFirst("valkey_version:.*", "");
        try (Server outdated = altered(old)) {
            assertLevel(Level.FAIL, new VersionCheck(outdated), "6.0.16");
        }
    }

    @Test
    void eviction() {
        assertLevel(Level.OK, new EvictionCheck(server), "noeviction");
        set("maxmemory-policy", "volatile-ttl");
        assertLevel(Level.OK, new EvictionCheck(server(redis.uri())), "without maxmemory");
        set("maxmemory", "100mb");
        assertLevel(Level.FAIL, new EvictionCheck(server(redis.uri())), "volatile-ttl", "100");
    }

    @Test
    void memory() {
        assertLevel(Level.OK, new MemoryCheck(server), "no limit");
        set("maxmemory", "1gb");
        assertLevel(Level.OK, new MemoryCheck(server(redis.uri())), "of 1.00G");
        // Not with SET: the server counts its input buffer too.
        server.call("SETRANGE", "data", "20000000", "x");
        set("maxmemory", Long.toString(server(redis.uri()).infoNumber("used_memory") / 95 * 100));
        assertLevel(Level.WARN, new MemoryCheck(server(redis.uri())));
        set("maxmemory", "1kb");
        assertLevel(Level.FAIL, new MemoryCheck(server(redis.uri())), "of 1.00K");
    }

    @Test
    void replicationAndRole() {
        assertLevel(Level.OK, new ReplicationCheck(server), "no replicas");
        assertLevel(Level.OK, new RoleCheck(server, Deployment.SINGLE), "a master");
        try (EmbeddedRedis copy = EmbeddedRedis.builder()
                        .option("replicaof", redis.host(), Integer.toString(redis.port()))
                        .start();
                Server replica = server(copy.uri())) {
            while (!server(copy.uri()).info("master_link_status").orElse("").equals("up")) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            assertLevel(Level.WARN, new ReplicationCheck(server(redis.uri())), "1 replica", "min-replicas-to-write 0");
            assertLevel(Level.FAIL, new RoleCheck(replica, Deployment.SINGLE), "a replica");
            assertThat(new RoleCheck(replica, Deployment.SINGLE).run().cure())
                    .contains(redis.host() + ":" + redis.port());
            assertLevel(
                    Level.FAIL,
                    new QuorumNodesCheck(List.of(server(redis.uri()), replica)),
                    "the same server or its replica");
            set("min-replicas-to-write", "2");
            assertLevel(Level.FAIL, new ReplicationCheck(server(redis.uri())), "min-replicas-to-write 2");
        }
    }

    @Test
    void persistence() {
        assertLevel(Level.WARN, new PersistenceCheck(server, Deployment.SINGLE), "appendonly no, no snapshots");
        assertLevel(Level.OK, new PersistenceCheck(server, Deployment.QUORUM_NODE));
        set("save", "60 1");
        assertLevel(Level.WARN, new PersistenceCheck(server, Deployment.SINGLE), "snapshots only (save 60 1)");
        set("appendonly", "yes");
        assertLevel(Level.OK, new PersistenceCheck(server(redis.uri()), Deployment.SINGLE), "appendfsync everysec");
        set("appendfsync", "no");
        assertLevel(Level.WARN, new PersistenceCheck(server(redis.uri()), Deployment.SINGLE), "appendfsync no");
        assertLevel(Level.OK, new PersistenceCheck(server(redis.uri()), Deployment.LOCAL), "appendfsync no");
    }

    @Test
    void persistenceOnAFailingDisk(@TempDir Path elsewhere) throws IOException {
        Path disk = elsewhere.resolve("disk");
        try (EmbeddedRedis full = EmbeddedRedis.builder()
                        .directory(disk)
                        .option("save", "60", "1")
                        .start();
                Server failing = server(full.uri())) {
            try (Stream<Path> files = Files.list(disk)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(disk);
            failing.call("BGSAVE");
            while (server(full.uri()).info("rdb_last_bgsave_status").orElse("").equals("ok")) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            assertLevel(Level.FAIL, new PersistenceCheck(failing, Deployment.SINGLE), "cannot write");
            // Although its reply to PING is an error.
            assertLevel(Level.OK, new ConnectionCheck(failing), "the server replies");
        }
    }

    @Test
    void clock() {
        assertLevel(Level.OK, new ClockCheck(server), "drift");
        // More than 5 s, because a slow reply reduces the measured offset.
        try (Server ahead = altered((call, reply) -> moved(reply, 5_050_000))) {
            assertLevel(Level.WARN, new ClockCheck(ahead), "+5.0");
        }
        long start = System.nanoTime();
        // Runs 1.5 times as fast.
        try (Server fast = altered((call, reply) -> moved(reply, (System.nanoTime() - start) / 2_000))) {
            assertLevel(Level.FAIL, new ClockCheck(fast));
        }
    }

    private static Object moved(Object time, long micros) {
        List<?> parts = (List<?>) time;
        long moved = Long.parseLong(parts.get(0) + "000000") + Long.parseLong(String.valueOf(parts.get(1))) + micros;
        return List.of(Long.toString(moved / 1_000_000), Long.toString(moved % 1_000_000));
    }

    @Test
    void latency() {
        AtomicLong clock = new AtomicLong();
        assertLevel(Level.OK, taking(1, clock), "median 1.00 ms, 99th percentile 1.00 ms, worst 1.00 ms of 300");
        assertLevel(Level.OK, taking(49, clock));
        assertLevel(Level.WARN, taking(50, clock), "99th percentile 50.00 ms");
        assertLevel(Level.FAIL, taking(500, clock), "of 4");
    }

    /** Every reply takes this long, by a clock that only the test moves. */
    private Check taking(long millis, AtomicLong clock) {
        return new LatencyCheck(
                altered((call, reply) -> {
                    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
                    return reply;
                }),
                clock::get);
    }

    @Test
    void missingPermissions() {
        server.call(
                "ACL",
                "SETUSER",
                "app",
                "on",
                ">pw",
                "~invoice:*",
                "~{invoice:*",
                "~{*}:kh:fence",
                "+@all",
                "-@scripting",
                "-info");
        String uri = "redis://app:pw@127.0.0.1:" + redis.port();
        try (Server limited = server(uri);
                Keyhold keyhold = Keyhold.connect(patient(uri))) {
            assertLevel(Level.FAIL, new ScriptingCheck(limited), "NOPERM");
            assertLevel(Level.WARN, new PubSubCheck(limited), "NOPERM");
            assertLevel(Level.WARN, new TrialCheck(keyhold, "invoice:doctor"), "NOPERM");
            assertLevel(Level.WARN, new EvictionCheck(limited), "not checked", "NOPERM");
            server.call("ACL", "SETUSER", "app", "+@scripting", "&keyhold:grants:*");
            assertLevel(Level.OK, new ScriptingCheck(limited));
            assertLevel(Level.OK, new PubSubCheck(limited));
            assertLevel(Level.WARN, new TrialCheck(keyhold, "other"), "NOPERM");
            assertLevel(Level.OK, new TrialCheck(keyhold, "invoice:doctor"));
        }
    }

    @Test
    void trial() {
        try (Keyhold keyhold = Keyhold.connect(patient(redis.uri()))) {
            assertLevel(Level.OK, new TrialCheck(keyhold, "free"));
            keyhold.lock("taken").tryAcquire().orElseThrow().detach();
            assertLevel(Level.WARN, new TrialCheck(keyhold, "taken"), "taken is held by another client");
            set("maxmemory", "1kb");
            assertLevel(Level.FAIL, new TrialCheck(keyhold, "free"), "OOM");
        }
    }

    @Test
    void trialFindsAClientThatDeletesLocks() {
        BiFunction<RedisCall, Object, Object> deleting = (call, reply) -> {
            server.call("DEL", "free");
            return reply;
        };
        AlteredDriver driver = new AlteredDriver(JedisDriver.open(RedisUri.parse(patient(redis.uri()))), deleting);
        try (Keyhold keyhold = Keyhold.builder().driver(driver).build()) {
            assertLevel(Level.FAIL, new TrialCheck(keyhold, "free"), "lost at once");
        }
    }

    @Test
    void trialKeyOfAnotherKindIsNotChecked() {
        server.call("RPUSH", "list", "entry");
        try (Keyhold keyhold = Keyhold.connect(patient(redis.uri()))) {
            assertLevel(Level.WARN, new TrialCheck(keyhold, "list"), "not checked", "list");
        }
    }

    @Test
    void leftovers() throws InterruptedException {
        try (Keyhold keyhold = Keyhold.connect(patient(redis.uri()))) {
            keyhold.lock("good").acquire();
            LeftoversCheck check = new LeftoversCheck(List.of(server), keyhold.inspect(), false);
            assertLevel(Level.OK, check, "1 locks held");
            server.call("RPUSH", "{good}:kh:queue", "entry");
            assertLevel(Level.WARN, check, "companion keys without expiry: {good}:kh:queue");
            keyhold.lock("unlimited", LockOptions.builder().noExpiry().build()).acquire();
            assertLevel(Level.WARN, check, "held without expiry: unlimited", "{good}:kh:queue");
            server.call("RPUSH", "{tag}:kh:queue:{tag}:lock", "entry");
            assertLevel(Level.WARN, check, "companion keys without expiry: {good}:kh:queue, {tag}:kh:queue:{tag}:lock");
        }
    }

    @Test
    void clocksOfPrimariesThatDifferAreNoLateExpiry() throws InterruptedException {
        BiFunction<RedisCall, Object, Object> behind =
                (call, reply) -> call.command().equals("TIME") ? moved(reply, -10_000_000) : reply;
        try (Server slow = altered(behind);
                Keyhold keyhold = Keyhold.connect(patient(redis.uri()))) {
            keyhold.lock(
                            "good",
                            LockOptions.builder().lease(Duration.ofMinutes(1)).build())
                    .acquire();
            LeftoversCheck check = new LeftoversCheck(List.of(slow, server), keyhold.inspect(), false);
            assertLevel(Level.OK, check, "1 locks held");
        }
    }

    /** Sets grant and expiry into the server's future, as if its clock had been set back. */
    @Test
    void lateExpiry() throws InterruptedException {
        try (Keyhold keyhold = Keyhold.connect(patient(redis.uri()))) {
            LockOptions untouched = LockOptions.builder()
                    .lease(Duration.ofMinutes(1))
                    .renew(false)
                    .build();
            keyhold.lock("good", untouched).acquire();
            Lease late = keyhold.lock("late", untouched).acquire();
            LeftoversCheck check = new LeftoversCheck(List.of(server), keyhold.inspect(), false);
            assertLevel(Level.OK, check, "2 locks held");
            long granted = (System.currentTimeMillis() + 3_600_000) * 1_000;
            server.call("SET", "late", late.token() + " " + late.fencingToken() + " " + granted, "KEEPTTL");
            assertLevel(Level.OK, check, "2 locks held");
            server.call("PEXPIRE", "late", "3660000");
            assertLevel(Level.WARN, check, "expires too late, because the server's clock was set back: late");
        }
    }

    @Test
    void quorumNodesAndVotes() throws InterruptedException {
        try (EmbeddedRedis second = EmbeddedRedis.start();
                EmbeddedRedis third = EmbeddedRedis.start();
                Keyhold quorum = Keyhold.builder()
                        .quorum(patient(redis.uri()), patient(second.uri()), patient(third.uri()))
                        .build()) {
            QuorumVotesCheck votes = new QuorumVotesCheck(quorum.inspect());
            assertLevel(Level.FAIL, votes, "0 of 3 nodes can vote", "quarantined");
            try (Keyhold first = Keyhold.builder()
                    .quorum(
                            List.of(patient(redis.uri()), patient(second.uri()), patient(third.uri())),
                            QuorumOptions.builder().admitFreshNodes(true).build())
                    .build()) {
                first.lock("admit").acquire();
                while (Checks.result(votes).level() != Level.OK) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                }
                assertLevel(Level.OK, votes, "all 3 nodes");
                third.kill();
                assertLevel(Level.WARN, votes, "2 of 3 nodes can vote", Integer.toString(third.port()));
            }
            List<Server> servers = List.of(server, server(second.uri()), server("redis://localhost:" + redis.port()));
            assertLevel(Level.OK, new QuorumNodesCheck(servers.subList(0, 1)), "1 different");
            assertLevel(Level.WARN, new QuorumNodesCheck(servers.subList(0, 2)), "2 nodes");
            assertLevel(Level.FAIL, new QuorumNodesCheck(servers), "localhost:" + redis.port());
        }
    }
}
