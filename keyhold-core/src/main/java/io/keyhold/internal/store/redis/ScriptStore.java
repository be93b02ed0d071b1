package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Inbox;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisDriver;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Locks on Redis, each operation one Lua script and one round trip; whoever waits stands in a queue there. */
public final class ScriptStore extends RedisStore {

    private final ScriptRunner scripts;
    private final String inbox;

    /** On the server behind this driver. {@code clientId} tells this client from every other. */
    public ScriptStore(RedisDriver driver, Duration fenceRetention, String clientId) {
        super(driver, fenceRetention);
        scripts = new ScriptRunner(driver);
        inbox = KeyNames.inbox(clientId);
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode) {
        return thenChecked(mode, translated("acquire lock", request.key(), () -> {
            AcquireRequest.IfBusy ifBusy = request.ifBusy();
            ScriptCall call = withKeys(Script.ACQUIRE, request.key())
                    .argument("token", request.token())
                    .argument("lease", request.leaseMillis())
                    .argument("ifFree", word(request.ifFree()))
                    .argument("place", text(ifBusy.place()))
                    .argument("coming", word(ifBusy.coming()))
                    .argument("answer", word(ifBusy.answer()))
                    .argument("retention", retentionMillis);
            return scripts.run(call, mode).thenApply(Replies::acquire);
        }));
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        return translated("release lock", request.key(), () -> {
            ScriptCall call = withKeys(Script.RELEASE, request.key())
                    .argument("token", request.token())
                    .argument("place", text(request.place()))
                    .argument("retention", retentionMillis);
            return scripts.run(call, mode).thenApply(Replies::hold);
        });
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        String first = requests.get(0).key();
        return translated("renew " + requests.size() + " locks, the first of them", first, () -> {
            ScriptCall call = Script.RENEW.call().argument("retention", retentionMillis);
            for (RenewRequest request : requests) {
                call.key("lock", request.key()).key("fence", KeyNames.fence(request.key()));
                call.argument("token", request.token()).argument("lease", request.leaseMillis());
            }
            return scripts.run(call, mode).thenApply(Replies::holds);
        });
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return translated(
                "force the release of",
                key,
                () -> scripts.run(withKeys(Script.FORCE, key).argument("retention", retentionMillis), mode)
                        .thenApply(reply -> Replies.number(reply) == 1));
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

    private static String text(Optional<QueuePlace> place) {
        return place.map(QueuePlace::text).orElse("");
    }

    private static String word(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }
}
