package io.keyhold.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.QuorumOptions;
import io.keyhold.cli.PatientUri;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisCall;
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

/** Each check on a real server that is set up to trip it, and on one that is not. */
@Execution(ExecutionMode.CONCURRENT)
final class ChecksTest {

    private final EmbeddedRedis redis = EmbeddedRedis.start();
    private final Server server = server(redis.uri());

    @AfterEach
    void close() {
        server.close();
        redis.close();
    }

    private static Server server(String uri) {
        return new Server(JedisDriver.open(RedisUri.parse(PatientUri.of(uri))));
    }

    private Server altered(BiFunction<RedisCall, Object, Object> alteration) {
        return new Server(new AlteredDriver(JedisDriver.open(RedisUri.parse(PatientUri.of(redis.uri()))), alteration));
    }

    private void set(String name, String value) {
        server.call("CONFIG", "SET", name, value);
    }

    private static void is(Level level, Check check, String... seen) {
        Finding finding = Checkup.examined(check);
        assertThat(finding.level()).as(finding.toString()).isEqualTo(level);
        assertThat(finding.check()).isEqualTo(check.name());
        assertThat(List.of(seen)).allSatisfy(part -> assertThat(finding.seen()).contains(part));
        assertThat(finding.meaning().isEmpty()).isEqualTo(level == Level.OK);
        assertThat(finding.cure().isEmpty()).isEqualTo(level == Level.OK);
    }

    @Test
    void connection() {
        is(Level.OK, new ConnectionCheck(server));
        redis.kill();
        is(Level.FAIL, new ConnectionCheck(server), "127.0.0.1:" + redis.port());
    }

    @Test
    void connectionWithoutItsPassword() {
        set("requirepass", "secret");
        try (Server stranger = server(redis.uri())) {
            is(Level.FAIL, new ConnectionCheck(stranger), "NOAUTH");
        }
    }

    @Test
    void version() {
        is(Level.OK, new VersionCheck(server), "Redis ");
        BiFunction<RedisCall, Object, Object> old = (call, reply) -> reply.toString()
                .replaceFirst("redis_version:.*", "redis_version:6.0.16")
                .replaceFirst("valkey_version:.*", "");
        try (Server ancient = altered(old)) {
            is(Level.FAIL, new VersionCheck(ancient), "6.0.16");
        }
    }

    @Test
    void eviction() {
        is(Level.OK, new EvictionCheck(server), "noeviction");
        set("maxmemory-policy", "volatile-ttl");
        is(Level.OK, new EvictionCheck(server(redis.uri())), "without maxmemory");
        set("maxmemory", "100mb");
        is(Level.FAIL, new EvictionCheck(server(redis.uri())), "volatile-ttl", "100");
    }

    @Test
    void memory() {
        is(Level.OK, new MemoryCheck(server), "no limit");
        set("maxmemory", "1gb");
        is(Level.OK, new MemoryCheck(server(redis.uri())), "of 1.00G");
        // Not with SET: what is sent counts too, until the server has forgotten it.
        server.call("SETRANGE", "data", "20000000", "x");
        set("maxmemory", Long.toString(server(redis.uri()).infoNumber("used_memory") / 95 * 100));
        is(Level.WARN, new MemoryCheck(server(redis.uri())));
        set("maxmemory", "1kb");
        is(Level.FAIL, new MemoryCheck(server(redis.uri())), "of 1.00K");
    }

    @Test
    void replicationAndRole() {
        is(Level.OK, new ReplicationCheck(server), "no replicas");
        is(Level.OK, new RoleCheck(server), "a master");
        try (EmbeddedRedis copy = EmbeddedRedis.builder()
                        .option("replicaof", redis.host(), Integer.toString(redis.port()))
                        .start();
                Server replica = server(copy.uri())) {
            while (!server(copy.uri()).info("master_link_status").orElse("").equals("up")) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            is(Level.WARN, new ReplicationCheck(server(redis.uri())), "1 replica", "min-replicas-to-write 0");
            is(Level.FAIL, new RoleCheck(replica), "a replica");
            assertThat(new RoleCheck(replica).examine().cure()).contains(redis.host() + ":" + redis.port());
            is(Level.FAIL, new QuorumNodesCheck(List.of(server(redis.uri()), replica)), "the same data");
            set("min-replicas-to-write", "2");
            is(Level.FAIL, new ReplicationCheck(server(redis.uri())), "min-replicas-to-write 2");
        }
    }

    @Test
    void persistence() {
        is(Level.WARN, new PersistenceCheck(server, Purpose.ALONE), "appendonly no, no snapshots");
        is(Level.OK, new PersistenceCheck(server, Purpose.NODE));
        set("save", "60 1");
        is(Level.WARN, new PersistenceCheck(server, Purpose.ALONE), "snapshots only (save 60 1)");
        set("appendonly", "yes");
        is(Level.OK, new PersistenceCheck(server(redis.uri()), Purpose.ALONE), "appendfsync everysec");
        set("appendfsync", "no");
        is(Level.WARN, new PersistenceCheck(server(redis.uri()), Purpose.ALONE), "appendfsync no");
        is(Level.OK, new PersistenceCheck(server(redis.uri()), Purpose.OWN), "appendfsync no");
    }

    @Test
    void persistenceThatFails(@TempDir Path elsewhere) throws IOException {
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
            is(Level.FAIL, new PersistenceCheck(failing, Purpose.ALONE), "cannot write");
        }
    }

    @Test
    void clock() {
        is(Level.OK, new ClockCheck(server), "drift");
        // A little more than what is looked for, because an answer that is late seems less.
        try (Server ahead = altered((call, reply) -> moved(reply, 5_050_000))) {
            is(Level.WARN, new ClockCheck(ahead), "+5.0");
        }
        long start = System.nanoTime();
        // Half as fast again as it should be.
        try (Server fast = altered((call, reply) -> moved(reply, (System.nanoTime() - start) / 2_000))) {
            is(Level.FAIL, new ClockCheck(fast));
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
        is(Level.OK, taking(1, clock), "median 1.00 ms, 99th percentile 1.00 ms, worst 1.00 ms of 300");
        is(Level.OK, taking(49, clock));
        is(Level.WARN, taking(50, clock), "99th percentile 50.00 ms");
        is(Level.FAIL, taking(500, clock), "of 4");
    }

    /** Every answer takes so long by a clock that nothing else moves. */
    private Check taking(long millis, AtomicLong clock) {
        return new LatencyCheck(
                altered((call, reply) -> {
                    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
                    return reply;
                }),
                clock::get);
    }

    @Test
    void whatAnAccessListForbids() {
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
                Keyhold keyhold = Keyhold.connect(PatientUri.of(uri))) {
            is(Level.FAIL, new ScriptingCheck(limited), "NOPERM");
            is(Level.WARN, new PubSubCheck(limited), "NOPERM");
            is(Level.WARN, new TrialCheck(keyhold, "invoice:doctor"), "NOPERM");
            is(Level.WARN, new EvictionCheck(limited), "not checked", "NOPERM");
            server.call("ACL", "SETUSER", "app", "+@scripting", "&keyhold:inbox:*");
            is(Level.OK, new ScriptingCheck(limited));
            is(Level.OK, new PubSubCheck(limited));
            is(Level.WARN, new TrialCheck(keyhold, "other"), "NOPERM");
            is(Level.OK, new TrialCheck(keyhold, "invoice:doctor"));
        }
    }

    @Test
    void trial() {
        try (Keyhold keyhold = Keyhold.connect(PatientUri.of(redis.uri()))) {
            is(Level.OK, new TrialCheck(keyhold, "free"));
            keyhold.lock("taken").tryAcquire().orElseThrow().detach();
            is(Level.WARN, new TrialCheck(keyhold, "taken"), "somebody holds taken");
            set("maxmemory", "1kb");
            is(Level.FAIL, new TrialCheck(keyhold, "free"), "OOM");
        }
    }

    @Test
    void leftovers() throws InterruptedException {
        try (Keyhold keyhold = Keyhold.connect(PatientUri.of(redis.uri()))) {
            keyhold.lock("good").acquire();
            LeftoversCheck check = new LeftoversCheck(server, keyhold.inspect(), false);
            is(Level.OK, check, "1 held now");
            server.call("RPUSH", "{good}:kh:queue", "entry");
            is(Level.WARN, check, "companion keys without expiry: {good}:kh:queue");
            keyhold.lock("endless", LockOptions.builder().noExpiry().build()).acquire();
            is(Level.WARN, check, "held without an end: endless", "{good}:kh:queue");
            server.call("RPUSH", "{tag}:kh:queue:{tag}:lock", "entry");
            is(Level.WARN, check, "companion keys without expiry: {good}:kh:queue, {tag}:kh:queue:{tag}:lock");
        }
    }

    /** A record and an end in the server's future are what a clock that is set back leaves behind. */
    @Test
    void leasesThatEndTooLate() throws InterruptedException {
        try (Keyhold keyhold = Keyhold.connect(PatientUri.of(redis.uri()))) {
            LockOptions untouched = LockOptions.builder()
                    .lease(Duration.ofMinutes(1))
                    .renew(false)
                    .build();
            keyhold.lock("good", untouched).acquire();
            Lease late = keyhold.lock("late", untouched).acquire();
            LeftoversCheck check = new LeftoversCheck(server, keyhold.inspect(), false);
            is(Level.OK, check, "2 held now");
            long granted = (System.currentTimeMillis() + 3_600_000) * 1_000;
            server.call("SET", "late", late.token() + " " + late.fencingToken() + " " + granted, "KEEPTTL");
            is(Level.OK, check, "2 held now");
            server.call("PEXPIRE", "late", "3660000");
            is(Level.WARN, check, "ends too late, because the server's clock was set back: late");
        }
    }

    @Test
    void nodesAndVotesOfAQuorum() throws InterruptedException {
        try (EmbeddedRedis second = EmbeddedRedis.start();
                EmbeddedRedis third = EmbeddedRedis.start();
                Keyhold quorum = Keyhold.builder()
                        .quorum(PatientUri.each(redis.uri(), second.uri(), third.uri()))
                        .build()) {
            QuorumVotesCheck votes = new QuorumVotesCheck(quorum.inspect());
            is(Level.FAIL, votes, "0 of 3 nodes can vote", "in quarantine");
            try (Keyhold first = Keyhold.builder()
                    .quorum(
                            List.of(PatientUri.each(redis.uri(), second.uri(), third.uri())),
                            QuorumOptions.builder().admitFreshNodes(true).build())
                    .build()) {
                first.lock("admit").acquire();
                while (Checkup.examined(votes).level() != Level.OK) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                }
                is(Level.OK, votes, "all 3 nodes");
                third.kill();
                is(Level.WARN, votes, "2 of 3 nodes can vote", Integer.toString(third.port()));
            }
            List<Server> servers = List.of(server, server(second.uri()), server("redis://localhost:" + redis.port()));
            is(Level.OK, new QuorumNodesCheck(servers.subList(0, 1)), "1 different");
            is(Level.WARN, new QuorumNodesCheck(servers.subList(0, 2)), "2 nodes");
            is(Level.FAIL, new QuorumNodesCheck(servers), "localhost:" + redis.port());
        }
    }
}
