package io.keyhold.benchmarks.contender;

import java.util.List;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/** The floor on Jedis: a pool, and input and output on the calling thread. */
final class RawJedis implements LockClient {

    /** Enough for every thread of every shape, so that none waits for a connection. */
    private static final int CONNECTIONS = 64;

    private static final SetParams IF_ABSENT = SetParams.setParams().nx().px(RawLock.LEASE_MILLIS);

    private final RedisClient jedis;
    private final String script;

    private RawJedis(RedisClient jedis) {
        this.jedis = jedis;
        this.script = jedis.scriptLoad(RawLock.COMPARE_AND_DELETE);
    }

    static LockClient open(OpenOptions options) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        pool.setMaxIdle(CONNECTIONS);
        return new RawJedis(RedisClient.builder()
                .hostAndPort(options.host(), options.port())
                .poolConfig(pool)
                .build());
    }

    @Override
    public LockHandle lock(String key) {
        return new RawLock() {
            @Override
            boolean set(String token) {
                return "OK".equals(jedis.set(key, token, IF_ABSENT));
            }

            @Override
            boolean deleteIfStill(String token) {
                return Long.valueOf(1).equals(jedis.evalsha(script, List.of(key), List.of(token)));
            }
        };
    }

    @Override
    public void close() {
        jedis.close();
    }
}
