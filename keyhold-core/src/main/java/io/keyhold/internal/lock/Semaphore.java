package io.keyhold.internal.lock;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Permits that clients share. */
public final class Semaphore extends LeaseSource implements DistributedSemaphore {

    private final ClientContext client;
    private final LockKey key;
    private final SemaphoreOptions given;
    private final SemaphoreOptions options;

    /** Creates a semaphore with these options. */
    public Semaphore(ClientContext client, LockKey key, SemaphoreOptions options) {
        this(
                client,
                key,
                Preconditions.given(options, "options"),
                client.named().of(options));
    }

    private Semaphore(ClientContext client, LockKey key, SemaphoreOptions given, SemaphoreOptions options) {
        super(
                client.engine(),
                subject(key, 1, options),
                LockOptions.builder().from(options).build());
        this.client = client;
        this.key = key;
        this.given = given;
        this.options = options;
    }

    private static Subject subject(LockKey key, int permits, SemaphoreOptions options) {
        Limit.IfOther ifOther = options.joinExisting() ? Limit.IfOther.JOIN : Limit.IfOther.REFUSE;
        Claim claim = Claim.Permits.of(key.stored(), permits, new Limit(options.permits(), ifOther));
        return new Subject(key.name(), "semaphore " + key, claim, List.of());
    }

    @Override
    public String key() {
        return key.name();
    }

    @Override
    public SemaphoreOptions options() {
        return options;
    }

    @Override
    public DistributedSemaphore with(UnaryOperator<SemaphoreOptions.Builder> change) {
        SemaphoreOptions.Builder changed = Preconditions.given(change, "change").apply(given.toBuilder());
        return new Semaphore(client, key, changed.build());
    }

    @Override
    public Lease acquire(int permits) throws InterruptedException {
        return engine.acquire(ask(permits(permits), wait));
    }

    @Override
    public Optional<Lease> tryAcquire(int permits) {
        return engine.tryAcquireOnce(ask(permits(permits), WaitPlan.NONE));
    }

    @Override
    public Optional<Lease> tryAcquire(int permits, Duration maxWait) throws InterruptedException {
        return engine.tryAcquire(ask(permits(permits), waiting(maxWait)));
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(int permits) {
        return engine.acquireAsync(ask(permits(permits), wait));
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(int permits) {
        return engine.tryAcquireAsync(ask(permits(permits), WaitPlan.NONE));
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(int permits, Duration maxWait) {
        return engine.tryAcquireAsync(ask(permits(permits), waiting(maxWait)));
    }

    @Override
    public int availablePermits() {
        return engine.lookAtPermits(key.stored())
                .map(LockSnapshot::availablePermits)
                .orElse(options.permits());
    }

    @Override
    public boolean isHeld(String token) {
        return engine.isHeld(subject, Preconditions.token(token));
    }

    @Override
    public int resize(int permits) {
        return engine.resize(key, options.permits(), Preconditions.permits(permits));
    }

    private Subject permits(int permits) {
        int most = options.joinExisting() ? Integer.MAX_VALUE : options.permits();
        return subject(key, Preconditions.permitsOf(permits, most), options);
    }
}
