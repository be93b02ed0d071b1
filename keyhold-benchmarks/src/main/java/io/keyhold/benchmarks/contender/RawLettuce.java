package io.keyhold.benchmarks.contender;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;

/** The floor on Lettuce: one connection shared by all threads, with synchronous calls. */
final class RawLettuce implements LockClient {
    private static final SetArgs IF_ABSENT = SetArgs.Builder.nx().px(RawLock.LEASE_MILLIS);

    private final RedisClient client;
    private final RedisCommands<String, String> redis;
    private final String script;

    private RawLettuce(RedisClient client) {
        this.client = client;
        this.redis = client.connect().sync();
        this.script = redis.scriptLoad(RawLock.COMPARE_AND_DELETE);
    }

    static LockClient open(OpenOptions options) {
        return new RawLettuce(RedisClient.create(options.uri()));
    }

    @Override
    public LockHandle lock(String key) {
        return new RawLock() {
            @Override
            boolean set(String token) {
                return "OK".equals(redis.set(key, token, IF_ABSENT));
            }

            @Override
            boolean deleteIfStill(String token) {
                Long deleted = redis.evalsha(script, ScriptOutputType.INTEGER, new String[] {key}, token);
                return Long.valueOf(1).equals(deleted);
            }
        };
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
