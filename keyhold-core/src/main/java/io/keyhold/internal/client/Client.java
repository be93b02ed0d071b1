package io.keyhold.internal.client;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedReadWriteLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockKind;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Engine;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.lock.ReadWriteLock;
import io.keyhold.internal.lock.Semaphore;
import io.keyhold.internal.lock.SubjectLock;
import io.keyhold.internal.lock.ThreadHolds;
import io.keyhold.internal.store.LockStore;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A client: hands out primitives that share one engine, and which thread holds what. */
public final class Client implements Keyhold {

    private final Engine engine;
    private final Operations operations;
    private final ThreadHolds threadHolds = new ThreadHolds();
    private final String keyPrefix;
    private final LockOptions defaults;

    /** Creates a client on this engine. */
    public Client(Engine engine, String keyPrefix, LockOptions defaults) {
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
        return SubjectLock.of(operations, threadHolds, LockKey.of(keyPrefix, key), options);
    }

    @Override
    public DistributedSemaphore semaphore(String key, int permits) {
        SemaphoreOptions.Builder options =
                SemaphoreOptions.builder().permits(permits).interruptOnLoss(defaults.interruptOnLoss());
        defaults.lease()
                .filter(lease -> !lease.equals(LockOptions.DEFAULT_LEASE) || !defaults.isRenewed())
                .ifPresent(options::lease);
        if (defaults.isRenewed() && !defaults.lease().equals(Optional.of(LockOptions.DEFAULT_LEASE))) {
            options.renew(true);
        }
        defaults.maxWait().ifPresent(options::maxWait);
        defaults.onLost().ifPresent(options::onLost);
        return semaphore(key, options.build());
    }

    @Override
    public DistributedSemaphore semaphore(String key, SemaphoreOptions options) {
        return unless(
                engine.store().refusal(LockKind.SEMAPHORE),
                new Semaphore(operations, LockKey.of(keyPrefix, key), options));
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String key) {
        return readWriteLock(key, defaults);
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String key, LockOptions options) {
        return unless(
                engine.store().refusal(LockKind.READ_WRITE),
                new ReadWriteLock(operations, threadHolds, LockKey.of(keyPrefix, key), options));
    }

    /** Refuses here already, so that it is found when the application starts and not when it first needs it. */
    private static <T> T unless(Optional<String> refusal, T primitive) {
        refusal.ifPresent(reason -> {
            throw new UnsupportedOperationException(reason);
        });
        return primitive;
    }

    @Override
    public DistributedLock allOf(String... keys) {
        return allOf(Arrays.asList(Preconditions.given(keys, "keys")), defaults);
    }

    @Override
    public DistributedLock allOf(Collection<String> keys, LockOptions options) {
        List<LockKey> sorted = Preconditions.keysTogether(keys).stream()
                .map(key -> LockKey.of(keyPrefix, key))
                .toList();
        return unless(engine.store().refusalOfSeveral(), SubjectLock.ofAll(operations, threadHolds, sorted, options));
    }

    @Override
    public LockInspector inspect() {
        return new Inspector(operations, keyPrefix);
    }

    LockStore store() {
        return engine.store();
    }

    @Override
    public void close() {
        engine.close();
    }
}
