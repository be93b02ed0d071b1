package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.GrantRecord;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisDriver;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;

/** Locks on Redis, each operation one Lua script and one round trip. */
public final class ScriptStore extends RedisStore {

    private final ScriptRunner scripts;

    /** On the server behind this driver. */
    public ScriptStore(RedisDriver driver, Duration fenceRetention) {
        super(driver, fenceRetention);
        scripts = new ScriptRunner(driver);
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode) {
        return thenChecked(mode, translated("acquire lock", request.key(), () -> {
            ScriptCall call = Script.ACQUIRE
                    .call()
                    .key("lock", request.key())
                    .key("fence", KeyNames.fence(request.key()))
                    .argument("token", request.token())
                    .argument("lease", request.leaseMillis())
                    .argument("ifFree", request.ifFree().name().toLowerCase(Locale.ROOT))
                    .argument("stride", GrantRecord.STRIDE)
                    .argument("retention", retentionMillis);
            return scripts.run(call, mode).thenApply(Replies::acquire);
        }));
    }

    @Override
    public CompletionStage<HoldReply> release(String key, String token, CallMode mode) {
        return translated(
                "release lock",
                key,
                () -> scripts.run(Script.RELEASE.call().key("lock", key).argument("token", token), mode)
                        .thenApply(Replies::hold));
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
}
