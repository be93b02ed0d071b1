package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Inbox;
import io.keyhold.internal.store.LockView;
import io.keyhold.internal.store.QuorumNode;
import io.keyhold.internal.store.RaiseRequest;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisDriver;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Locks on Redis, each operation one Lua script and one round trip; whoever waits stands in a queue there. */
public final class ScriptStore extends RedisStore implements QuorumNode {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    /** Marks a cursor in the second half of a listing. */
    private static final String SEMAPHORES = "semaphores:";

    private static final CallOptions REQUEST = CallOptions.of(CallMode.ASYNCHRONOUS);

    private final ScriptCalls calls;
    private final VoteCalls votes;
    private final Durability durability;
    private final ScriptRunner runner;
    private final String inbox;
    private final AtomicBoolean warned = new AtomicBoolean();

    /** On the server behind this driver. {@code clientId} tells this client from every other. */
    public ScriptStore(RedisDriver driver, String clientId) {
        super(driver);
        Scripts scripts = new Scripts();
        calls = new ScriptCalls(scripts);
        votes = new VoteCalls(scripts);
        durability = new Durability(driver);
        runner = new ScriptRunner(driver);
        inbox = KeyNames.inbox(clientId);
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        String key = request.claim().key();
        return thenChecked(
                mode,
                translated(
                        "acquire lock",
                        key,
                        () -> runner.run(calls.acquire(request), new CallOptions(mode, CallLane.REQUEST, sending))
                                .thenApply(Replies::acquire)));
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        return translated(
                "release lock",
                request.claim().key(),
                () -> runner.run(calls.release(request), CallOptions.of(mode, CallLane.RELEASE))
                        .thenApply(reply -> {
                            Replies.forbiddenHandOver(reply).ifPresent(this::warn);
                            return Replies.hold(reply);
                        }));
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
        String first = requests.get(0).claim().key();
        return translated("renew " + requests.size() + " locks, the first of them", first, () -> {
            Renewals renewals = new Renewals(requests);
            CompletionStage<List<HoldReply>> locks = renewals.locks().isEmpty()
                    ? CompletableFuture.completedStage(List.of())
                    : renew(calls.renewLocks(renewals.locks()), mode);
            CompletionStage<List<HoldReply>> permits = renewals.permits().isEmpty()
                    ? CompletableFuture.completedStage(List.of())
                    : renew(calls.renewPermits(renewals.permits()), mode);
            return locks.thenCombine(permits, renewals::merged);
        });
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
                "list semaphores like",
                pattern,
                () -> listing.scan(pattern, place, "zset", mode)
                        .thenCompose(keys -> views(keys.keys(), mode)
                                .thenApply(views ->
                                        new Page(views, keys.isLast() ? keys.cursor() : SEMAPHORES + keys.cursor()))));
    }

    private CompletionStage<List<LockView>> views(List<String> keys, CallMode mode) {
        CompletionStage<List<LockView>> all = CompletableFuture.completedStage(new ArrayList<>());
        for (String key : keys) {
            all = all.thenCompose(views -> lookAtPermits(key, mode).thenApply(view -> {
                view.filter(seen -> seen.holding() > 0).ifPresent(views::add);
                return views;
            }));
        }
        return all;
    }

    @Override
    public CompletionStage<Optional<LockView>> lookAtPermits(String key, CallMode mode) {
        return translated(
                "look at",
                key,
                () -> runner.run(calls.lookAtPermits(key), CallOptions.of(mode))
                        .thenApply(reply -> PermitsView.read(key, reply)));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return translated(
                "force the release of",
                key,
                () -> runner.run(calls.force(key), CallOptions.of(mode))
                        .thenApply(reply -> Replies.number(reply) == 1));
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        return translated(
                "resize semaphore",
                key,
                () -> runner.run(calls.resize(key, said, permits), CallOptions.of(mode))
                        .thenApply(reply -> Math.toIntExact(Replies.number(reply))));
    }

    @Override
    public String address() {
        return driver.address();
    }

    @Override
    public CompletionStage<VoteReply> vote(VoteRequest request) {
        return thenChecked(
                CallMode.ASYNCHRONOUS,
                translated(
                        task("vote for", request.claim()),
                        request.claim().key(),
                        () -> heedingDurability(durable -> votes.vote(request, durable))
                                .thenApply(VoteCalls::vote)));
    }

    /** A restarted server that remembers an earlier incarnation may vote at once if it never loses what it has replied to. */
    private CompletionStage<@Nullable Object> heedingDurability(Function<Boolean, ScriptCall> asking) {
        return runner.run(asking.apply(false), REQUEST).thenCompose(reply -> {
            if (!VoteCalls.isRemembering(reply)) {
                return CompletableFuture.<@Nullable Object>completedStage(reply);
            }
            return durability
                    .isCertain()
                    .thenCompose(durable -> durable
                            ? runner.run(asking.apply(true), REQUEST)
                            : CompletableFuture.<@Nullable Object>completedStage(reply));
        });
    }

    @Override
    public CompletionStage<Long> quarantineMillis(VoteRequest.Admission admission) {
        return translated(
                "ask for votes with",
                KeyNames.incarnation(),
                () -> heedingDurability(durable -> votes.admit(admission, durable))
                        .thenApply(VoteCalls::quarantineMillis));
    }

    @Override
    public CompletionStage<Boolean> raise(RaiseRequest request) {
        return translated(
                task("number", request.claim()),
                request.claim().key(),
                () -> runner.run(votes.raise(request), REQUEST).thenApply(reply -> Replies.number(reply) == 1));
    }

    @Override
    public CompletionStage<HoldReply> giveUp(ReleaseRequest request) {
        return translated(
                task("release", request.claim()),
                request.claim().key(),
                () -> runner.run(votes.giveUp(request), CallOptions.of(CallMode.ASYNCHRONOUS, CallLane.RELEASE))
                        .thenApply(Replies::hold));
    }

    @Override
    public CompletionStage<Optional<Inbox>> openInbox(Inbox.Listener listener) {
        return translated(
                "listen to",
                inbox,
                () -> RedisInbox.open(driver, inbox, listener).thenApply(Optional::of));
    }

    private CompletionStage<List<HoldReply>> renew(ScriptCall call, CallMode mode) {
        return runner.run(call, CallOptions.of(mode, renewalLane(mode))).thenApply(Replies::holds);
    }
}
