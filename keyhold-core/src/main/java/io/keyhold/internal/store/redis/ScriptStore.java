package io.keyhold.internal.store.redis;

import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.Renewals;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.PendingReply;
import io.keyhold.spi.RedisDriver;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Locks on Redis, each operation one Lua script and one round trip. Waiters are in a queue there. */
public final class ScriptStore extends RedisStore implements VotingNode {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    /** Marks a cursor in the second half of a listing. */
    private static final String SEMAPHORES = "semaphores:";

    private static final String SORTED_SET = "zset";

    private static final CallOptions REQUEST = CallOptions.of(CallMode.ASYNCHRONOUS);
    private static final CallOptions RELEASE = CallOptions.of(CallMode.ASYNCHRONOUS, CallLane.RELEASE);

    private final String channel;
    private final AtomicBoolean warned = new AtomicBoolean();
    private final @Nullable DurableSetup setup;
    private final @Nullable DurableGrants durable;

    /** On the server behind this driver. {@code clientId} tells this client from every other. */
    public ScriptStore(RedisDriver driver, String clientId) {
        this(driver, clientId, null);
    }

    /** On the server behind this driver, with durable grants if the setup says so. */
    public ScriptStore(RedisDriver driver, String clientId, @Nullable DurableSetup setup) {
        this(driver, clientId, RedisListing.KEYS_AT_ONCE, DurableMarkers.ofServer(), setup);
    }

    /**
     * On one primary of a cluster.
     *
     * @param clientId tells this client from every other, and the primary from the others
     * @param slots returns the slots that the primary has at the moment
     */
    public static ScriptStore onPrimary(
            RedisDriver driver, String clientId, Supplier<List<Integer>> slots, DurableSetup setup) {
        return new ScriptStore(driver, clientId, 1, DurableMarkers.ofPrimary(slots), setup);
    }

    private ScriptStore(
            RedisDriver driver, String clientId, int keysAtOnce, DurableMarkers markers, @Nullable DurableSetup setup) {
        super(driver, keysAtOnce);
        channel = KeyNames.grantChannel(clientId);
        this.setup = setup;
        durable = setup != null && setup.isOn() ? new DurableGrants(driver, clientId, markers, setup) : null;
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        return StoreFailure.unless(
                refusal(request.claim(), request.leaseMillis()),
                () -> thenChecked(
                        mode, translated("acquire", request.claim(), () -> acquireByScript(request, mode, sending))));
    }

    private CompletionStage<AcquireReply> acquireByScript(AcquireRequest request, CallMode mode, Runnable sending) {
        ScriptCall call = ScriptCalls.acquire(request);
        return durable != null
                ? durable.acquire(request.claim().key(), call, mode, sending)
                : call.run(driver, new CallOptions(mode, CallLane.REQUEST, sending))
                        .thenApply(Replies::acquire);
    }

    @Override
    public Optional<String> refusal(Claim claim, long leaseMillis) {
        return setup == null ? Optional.empty() : setup.refusal(leaseMillis);
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        return translated(
                "release",
                request.claim(),
                () -> released(request, CallOptions.of(mode, CallLane.RELEASE)).thenApply(reply -> {
                    Replies.forbiddenHandOver(reply).ifPresent(this::warn);
                    return Replies.hold(reply);
                }));
    }

    private CompletionStage<@Nullable Object> released(ReleaseRequest request, CallOptions options) {
        if (durable == null) {
            return ScriptCalls.release(request).run(driver, options);
        }
        return request.rests()
                ? durable.rest(ScriptCalls.release(request), options)
                // A grant in the reply would count without an acknowledgement. In a message it makes the waiter ask.
                : ScriptCalls.release(request.replyingTo(Optional.empty())).run(driver, options);
    }

    private void warn(String refusal) {
        if (warned.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "Redis at {0} does not permit this client to hand locks over, so that waiters of released locks find"
                            + " out by looking, after up to 10 s: PUBLISH, PUBSUB NUMSUB and the channels of docs/keys.md"
                            + " must be permitted to its ACL user ({1})",
                    driver.address(),
                    refusal);
        }
    }

    /** Locks and semaphores travel apart; a claim of several locks is renewed key by key, and held if all are. */
    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        return StoreFailure.unless(
                refusal(requests), () -> translated(() -> renewal(requests), () -> renewByKind(requests, mode)));
    }

    private CompletionStage<List<HoldReply>> renewByKind(List<RenewRequest> requests, CallMode mode) {
        Renewals renewals = new Renewals(requests);
        return renewals.inGroups(
                        part -> part.renewal().claim() instanceof Claim.Permits,
                        parts -> renewTogether(parts, mode).thenAccept(replies -> renewals.replied(parts, replies)))
                .thenApply(done -> renewals.replies());
    }

    private CompletionStage<List<HoldReply>> renewTogether(List<Renewals.Part> parts, CallMode mode) {
        List<RenewRequest> holds = parts.stream().map(Renewals.Part::renewal).toList();
        ScriptCall call = ScriptCalls.renew(holds);
        CallOptions options = CallOptions.of(mode, renewalLane(mode));
        boolean onlyAsks = holds.stream().allMatch(hold -> hold.leaseMillis() == AcquireRequest.NO_EXPIRY);
        return durable != null && !onlyAsks
                ? durable.renew(call, options)
                : call.run(driver, options).thenApply(Replies::holds);
    }

    /** First the locks, then the semaphores: each kind of key has a scan of its own. */
    @Override
    public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
        if (!cursor.startsWith(SEMAPHORES)) {
            return super.list(pattern, cursor, mode)
                    .thenApply(page -> page.isLast() ? new Page(page.locks(), SEMAPHORES + page.cursor()) : page);
        }
        String place = cursor.substring(SEMAPHORES.length());
        return translated(
                () -> Task.of("list semaphores like '" + pattern + "'"),
                () -> listing.scan(pattern, place, SORTED_SET, mode)
                        .thenCompose(keys -> listing.here(
                                        keys.keys(), SORTED_SET, mode, found -> semaphores(found, mode))
                                .thenApply(held ->
                                        new Page(held, keys.isLast() ? keys.cursor() : SEMAPHORES + keys.cursor()))));
    }

    private CompletionStage<List<LockSnapshot>> semaphores(List<String> keys, CallMode mode) {
        return RedisListing.oneByOne(
                keys,
                key -> lookAtPermits(key, mode)
                        .thenApply(semaphore ->
                                semaphore.filter(LockSnapshot::isHeld).stream().toList()));
    }

    @Override
    public CompletionStage<Optional<LockSnapshot>> lookAtPermits(String key, CallMode mode) {
        return translated(
                () -> Task.on("look at", key, Optional.empty()),
                () -> ScriptCalls.lookAtPermits(key)
                        .run(driver, CallOptions.of(mode))
                        .thenApply(reply -> Replies.permits(key, reply)));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return translated(
                () -> Task.on("force the release of", key, Optional.empty()),
                () -> ScriptCalls.force(key)
                        .run(driver, CallOptions.of(mode))
                        .thenApply(reply -> Replies.number(reply) == 1));
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        return translated(
                () -> Task.on("resize semaphore", key, Optional.of(LockKind.SEMAPHORE)),
                () -> ScriptCalls.resize(key, said, permits)
                        .run(driver, CallOptions.of(mode))
                        .thenApply(reply -> Math.toIntExact(Replies.number(reply))));
    }

    /** Returns whether grants that are sent to this address arrive through the grant channel of this store. */
    public boolean isGrantChannel(String address) {
        return RedisGrantSubscription.isOf(channel, address);
    }

    @Override
    public String address() {
        return driver.address();
    }

    @Override
    public CompletionStage<VoteReply> vote(VoteRequest request, @Nullable Consumer<PendingReply> unread) {
        return thenChecked(
                CallMode.ASYNCHRONOUS,
                translated(
                        "vote for",
                        request.claim(),
                        () -> heedingDiskWrites(durable -> VoteCalls.vote(request, durable), unread)
                                .thenApply(VoteCalls::vote)));
    }

    /** A restarted server that remembers an earlier incarnation may vote at once if it never loses what it has replied to. */
    private CompletionStage<@Nullable Object> heedingDiskWrites(
            Function<Boolean, ScriptCall> asking, @Nullable Consumer<PendingReply> unread) {
        return asking.apply(false).run(driver, REQUEST, unread).thenCompose(reply -> {
            if (!VoteCalls.isRemembering(reply)) {
                return CompletableFuture.<@Nullable Object>completedStage(reply);
            }
            return check.losesNothing()
                    .thenCompose(durable -> durable
                            ? asking.apply(true).run(driver, REQUEST)
                            : CompletableFuture.<@Nullable Object>completedStage(reply));
        });
    }

    @Override
    public CompletionStage<Long> quarantineMillis(VoteRequest.Admission admission) {
        return translated(
                () -> Task.of("read the quarantine of this node in '" + KeyNames.INCARNATION + "'"),
                () -> heedingDiskWrites(durable -> VoteCalls.admit(admission, durable), null)
                        .thenApply(VoteCalls::quarantineMillis));
    }

    @Override
    public CompletionStage<Boolean> raise(Claim claim, String token, long number) {
        return translated(
                "raise the fencing token of",
                claim,
                () -> VoteCalls.raise(claim, token, number)
                        .run(driver, REQUEST)
                        .thenApply(reply -> Replies.number(reply) == 1));
    }

    @Override
    public CompletionStage<HoldReply> giveUp(ReleaseRequest request, @Nullable Consumer<PendingReply> unread) {
        return translated(
                "release",
                request.claim(),
                () -> VoteCalls.giveUp(request).run(driver, RELEASE, unread).thenApply(Replies::hold));
    }

    @Override
    public CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener) {
        return translated(
                () -> Task.of("subscribe to the grant channel '" + channel + "'"),
                () -> RedisGrantSubscription.open(
                                driver, channel, durable != null ? new AskingListener(listener) : listener)
                        .thenApply(Optional::of));
    }
}
