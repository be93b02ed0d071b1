package io.keyhold.internal.client;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedReadWriteLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.ElectionOptions;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.LeaderElection;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockKind;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Engine;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.lock.ClientContext;
import io.keyhold.internal.lock.Election;
import io.keyhold.internal.lock.NamedOptions;
import io.keyhold.internal.lock.ReadWriteLock;
import io.keyhold.internal.lock.Semaphore;
import io.keyhold.internal.lock.SubjectLock;
import io.keyhold.internal.lock.ThreadHolds;
import io.keyhold.internal.store.LockStore;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A client: hands out primitives that share one engine, and which thread holds what. */
public final class Client implements Keyhold {

    private final Engine engine;
    private final ClientContext context;
    private final String keyPrefix;
    private final LockOptions defaults;
    private final Set<Election> elections = ConcurrentHashMap.newKeySet();
    /** Set before the elections are ended: an election that was added after that ends itself. */
    private volatile boolean closing;

    /** Creates a client on this engine. */
    public Client(Engine engine, String keyPrefix, LockOptions defaults, NamedOptions named) {
        this.engine = engine;
        this.context = new ClientContext(engine, new ThreadHolds(), named);
        this.keyPrefix = keyPrefix;
        this.defaults = defaults;
    }

    @Override
    public DistributedLock lock(String key) {
        return lock(key, defaults);
    }

    @Override
    public DistributedLock lock(String key, LockOptions options) {
        return new SubjectLock(context, Subject.lock(LockKey.of(keyPrefix, key)), options);
    }

    @Override
    public DistributedSemaphore semaphore(String key, int permits) {
        if (defaults.token().isPresent()) {
            throw new UnsupportedOperationException(
                    "the client's default options have a token, which semaphores do not support; pass SemaphoreOptions");
        }
        return semaphore(
                key, SemaphoreOptions.builder().from(defaults).permits(permits).build());
    }

    @Override
    public DistributedSemaphore semaphore(String key, SemaphoreOptions options) {
        return unless(
                engine.store().refusal(LockKind.SEMAPHORE),
                new Semaphore(context, LockKey.of(keyPrefix, key), options));
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String key) {
        return readWriteLock(key, defaults);
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String key, LockOptions options) {
        return unless(
                engine.store().refusal(LockKind.READ_WRITE),
                new ReadWriteLock(context, LockKey.of(keyPrefix, key), options));
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
        return allOf(Arrays.asList(Preconditions.given(keys, "keys")));
    }

    @Override
    public DistributedLock allOf(Collection<String> keys) {
        return allOf(keys, defaults);
    }

    @Override
    public DistributedLock allOf(Collection<String> keys, LockOptions options) {
        List<LockKey> sorted = Preconditions.keysTogether(keys).stream()
                .map(key -> LockKey.of(keyPrefix, key))
                .toList();
        return unless(
                engine.store()
                        .refusalOfSeveral(sorted.stream().map(LockKey::stored).toList()),
                SubjectLock.allOf(context, sorted, options));
    }

    @Override
    public LeaderElection election(String role) {
        return election(role, ElectionOptions.defaults());
    }

    @Override
    public LeaderElection election(String role, ElectionOptions options) {
        LockKey key = LockKey.of(keyPrefix, role);
        AcquireSpec candidate = candidate(key, Preconditions.given(options, "options"));
        Election election = unless(
                engine.store().refusal(candidate.subject().claim(), candidate.leaseMillis()),
                new Election(engine, key, candidate, options, elections::remove));
        engine.checkOpen();
        elections.add(election);
        if (closing) {
            election.end();
            throw new KeyholdClosedException("the client is closed");
        }
        election.stand();
        return election;
    }

    /** Returns a request in the order of arrival, where the store keeps one; elsewhere without local hand-over. */
    private AcquireSpec candidate(LockKey role, ElectionOptions options) {
        LockOptions.Builder holding = LockOptions.builder()
                .lease(options.lease().or(defaults::lease).orElse(LockOptions.DEFAULT_LEASE))
                .renew(true)
                .maxLocalHandOvers(0)
                .fairness(engine.store().keepsOrder() ? Fairness.STRICT : Fairness.BATCHED);
        defaults.onLost().ifPresent(holding::onLost);
        return new AcquireSpec(role, holding.build(), WaitPlan.ENDLESS);
    }

    @Override
    public LockInspector inspect() {
        return new Inspector(engine, keyPrefix);
    }

    LockStore store() {
        return engine.store();
    }

    @Override
    public void close() {
        closing = true;
        // All of them at once, because each waits for its listeners. The engine bounds the wait for their releases.
        List<Election> open = List.copyOf(elections);
        open.forEach(Election::end);
        open.forEach(Election::awaitListeners);
        engine.close();
    }
}
