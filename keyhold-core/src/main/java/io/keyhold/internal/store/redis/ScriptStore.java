package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Inbox;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisDriver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Locks on Redis, each operation one Lua script and one round trip; whoever waits stands in a queue there. */
public final class ScriptStore extends RedisStore {

    private final Scripts scripts;
    private final ScriptRunner runner;
    private final String inbox;

    /** On the server behind this driver. {@code clientId} tells this client from every other. */
    public ScriptStore(RedisDriver driver, Duration fenceRetention, String clientId) {
        super(driver, fenceRetention);
        scripts = new Scripts(retentionMillis);
        runner = new ScriptRunner(driver);
        inbox = KeyNames.inbox(clientId);
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode) {
        return thenChecked(mode, translated("acquire lock", request.key(), () -> {
            ScriptCall call = withKeys(scripts.acquire, request.key())
                    .argument("token", request.token())
                    .argument("lease", request.leaseMillis())
                    .argument("kept", retentionMillis + request.leaseMillis());
            if (request.ifFree() == AcquireRequest.IfFree.LEAVE) {
                call.argument("how", "leave");
            } else if (request.ifBusy().place().isPresent()) {
                call.argument("how", join(request.ifBusy()));
                call.argument("place", request.ifBusy().place().get().text());
            }
            return runner.run(call, mode).thenApply(Replies::acquire);
        }));
    }

    private static String join(AcquireRequest.IfBusy ifBusy) {
        if (ifBusy.coming() == AcquireRequest.Coming.AGAIN) {
            return "rejoin";
        }
        return ifBusy.answer() == AcquireRequest.Answer.FULL ? "join" : "join briefly";
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        return translated("release lock", request.key(), () -> {
            ScriptCall call = withKeys(scripts.release, request.key()).argument("token", request.token());
            request.place().ifPresent(place -> call.argument("place", place.text()));
            return runner.run(call, mode).thenApply(Replies::hold);
        });
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        String first = requests.get(0).key();
        return translated("renew " + requests.size() + " locks, the first of them", first, () -> {
            ScriptCall call = scripts.renew.call();
            for (RenewRequest request : requests) {
                call.key("lock", request.key()).key("fence", KeyNames.fence(request.key()));
                call.argument("token", request.token()).argument("lease", request.leaseMillis());
            }
            return runner.run(call, mode).thenApply(Replies::holds);
        });
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return translated(
                "force the release of",
                key,
                () -> runner.run(withKeys(scripts.force, key), mode).thenApply(reply -> Replies.number(reply) == 1));
    }

    @Override
    public CompletionStage<Optional<Inbox>> openInbox(Inbox.Listener listener) {
        return translated(
                "listen to",
                inbox,
                () -> RedisInbox.open(driver, inbox, listener).thenApply(Optional::of));
    }

    private static ScriptCall withKeys(Script script, String lock) {
        return script.call()
                .key("lock", lock)
                .key("fence", KeyNames.fence(lock))
                .key("queue", KeyNames.queue(lock));
    }
}
