package io.keyhold.benchmarks.failover;

import io.keyhold.DistributedLock;
import io.keyhold.Durability;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.SentinelServersConfig;

/** Whose locks are used while masters fail over. */
enum FailoverContender {

    /** Keyhold with grants that a replica has acknowledged. */
    KEYHOLD_DURABLE("Keyhold, `Durability.replicas(1)`") {
        @Override
        Client open(String uri, int number) {
            return keyhold(
                    uri, number, Durability.replicas(1).withLongestLease(LEASE).withAdmitFreshNodes(true));
        }
    },

    /** Keyhold with its defaults. */
    KEYHOLD("Keyhold") {
        @Override
        Client open(String uri, int number) {
            return keyhold(uri, number, Durability.none());
        }
    },

    /** Redisson's lock with fencing tokens. It reports no loss: its holder goes on until it releases. */
    REDISSON("Redisson fenced lock") {
        @Override
        Client open(String uri, int number) {
            return redisson(uri);
        }
    };

    static final String KEY = "invoice:42";
    static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration MOST_WAIT = Duration.ofSeconds(10);

    private final String title;

    FailoverContender(String title) {
        this.title = title;
    }

    /** Returns its name in the report. */
    String title() {
        return title;
    }

    /** Opens a client of the servers at this URI of Keyhold's. The number tells the clients of a run apart. */
    abstract Client open(String uri, int number);

    /** A client with its way to the lock. */
    interface Client extends FailoverRun.Lock, AutoCloseable {
        @Override
        void close();
    }

    /** Half of the clients use one driver, half the other. */
    private static Client keyhold(String uri, int number, Durability durability) {
        Keyhold keyhold = Keyhold.builder()
                .uri(uri + (uri.contains("?") ? "&" : "?") + "driver=" + (number % 2 == 0 ? "jedis" : "lettuce"))
                .durability(durability)
                .defaults(LockOptions.builder().lease(LEASE).renew(true).build())
                .build();
        DistributedLock lock = keyhold.lock(KEY).with(options -> options.maxWait(MOST_WAIT));
        return new Client() {
            @Override
            public FailoverRun.Hold acquire() throws InterruptedException {
                return new KeyholdHold(lock.acquire());
            }

            @Override
            public void close() {
                keyhold.close();
            }
        };
    }

    private record KeyholdHold(Lease lease) implements FailoverRun.Hold {

        @Override
        public boolean isHeld() {
            return lease.isHeld();
        }

        @Override
        public long fencingToken() {
            return lease.fencingToken();
        }

        @Override
        public void release() {
            try {
                lease.release();
            } catch (KeyholdException away) {
                // It is repeated in the background.
            }
        }
    }

    private static Client redisson(String uri) {
        Config config = new Config();
        config.setLockWatchdogTimeout(LEASE.toMillis());
        SentinelServersConfig sentinels = config.useSentinelServers();
        sentinels.setMasterName(URI.create(uri).getQuery().replaceFirst(".*master=([^&]*).*", "$1"));
        for (String address : URI.create(uri).getAuthority().split(",", -1)) {
            sentinels.addSentinelAddress("redis://" + address);
        }
        RedissonClient redisson = Redisson.create(config);
        RFencedLock lock = redisson.getFencedLock(KEY);
        return new Client() {
            @Override
            public FailoverRun.Hold acquire() throws TimeoutException {
                Long token = lock.tryLockAndGetToken(MOST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
                if (token == null) {
                    throw new TimeoutException();
                }
                return new RedissonHold(lock, token);
            }

            @Override
            public void close() {
                redisson.shutdown();
            }
        };
    }

    private record RedissonHold(RFencedLock lock, long fencingToken) implements FailoverRun.Hold {

        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public void release() {
            try {
                lock.unlock();
            } catch (RuntimeException away) {
                // Its lease ends.
            }
        }
    }
}
