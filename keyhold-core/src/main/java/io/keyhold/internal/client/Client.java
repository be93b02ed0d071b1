package io.keyhold.internal.client;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LockInspector;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.Engine;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.lock.Mutex;
import io.keyhold.internal.lock.ThreadHolds;

/** A client: hands out primitives that share one engine. */
final class Client implements Keyhold {

    private final Engine engine;
    private final Operations operations;
    private final ThreadHolds threadHolds = new ThreadHolds();
    private final String keyPrefix;
    private final LockOptions defaults;

    Client(Engine engine, String keyPrefix, LockOptions defaults) {
        this.engine = engine;
        this.operations = new Operations(engine);
        this.keyPrefix = keyPrefix;
        this.defaults = defaults;
    }

    @Override
    public DistributedLock lock(String key) {
        return lock(key, defaults);
    }

    @Override
    public DistributedLock lock(String key, LockOptions options) {
        return new Mutex(operations, threadHolds, LockKey.of(keyPrefix, key), options);
    }

    @Override
    public LockInspector inspect() {
        return new Inspector(operations, keyPrefix);
    }

    @Override
    public void close() {
        engine.close();
    }
}
