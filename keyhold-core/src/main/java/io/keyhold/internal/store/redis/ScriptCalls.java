package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.Snapshots;
import java.util.List;
import java.util.Locale;

/** Puts requests into calls of the scripts: which script, which keys, which arguments. */
final class ScriptCalls {

    private final Scripts scripts;

    ScriptCalls(Scripts scripts) {
        this.scripts = scripts;
    }

    ScriptCall acquire(AcquireRequest request) {
        if (request.claim() instanceof Claim.Permits claim) {
            return acquirePermits(claim, request);
        }
        if (request.claim() instanceof Claim.Locks claim) {
            return acquireAll(claim, request);
        }
        ScriptCall call = lockKeys(scripts.acquire, request.claim().key())
                .argument("token", request.token())
                .argument("lease", request.leaseMillis());
        if (request.ifFree() == AcquireRequest.IfFree.LEAVE) {
            call.argument("how", "leave");
        } else if (request.ifBusy().place().isPresent()) {
            call.argument("how", how(request)).argument("place", place(request));
        }
        return call;
    }

    private ScriptCall acquirePermits(Claim.Permits claim, AcquireRequest request) {
        ScriptCall call = permitKeys(scripts.acquirePermits, claim.key())
                .argument("token", request.token())
                .argument("lease", request.leaseMillis())
                .argument("wanted", claim.permits())
                .argument("says", claim.limit().permits())
                .argument("ifOther", claim.limit().ifOther().name().toLowerCase(Locale.ROOT))
                .argument("how", how(request))
                .argument("place", place(request));
        claim.beside().ifPresent(token -> call.argument("beside", token));
        return call;
    }

    private ScriptCall acquireAll(Claim.Locks claim, AcquireRequest request) {
        ScriptCall call = allKeys(scripts.acquireAll, claim)
                .argument("token", request.token())
                .argument("lease", request.leaseMillis())
                .argument("how", how(request));
        claim.parts().forEach(part -> call.argument("part", part));
        return call;
    }

    private static String how(AcquireRequest request) {
        if (request.ifFree() == AcquireRequest.IfFree.LEAVE) {
            return "leave";
        }
        AcquireRequest.IfBusy ifBusy = request.ifBusy();
        if (ifBusy.place().isEmpty()) {
            return "take";
        }
        if (ifBusy.coming() == AcquireRequest.Coming.AGAIN) {
            return "rejoin";
        }
        return ifBusy.answer() == AcquireRequest.Answer.FULL ? "join" : "join briefly";
    }

    private static String place(AcquireRequest request) {
        return request.ifBusy().place().map(QueuePlace::text).orElse("");
    }

    ScriptCall release(ReleaseRequest request) {
        if (request.claim() instanceof Claim.Locks claim) {
            return allKeys(scripts.releaseAll, claim).argument("token", request.token());
        }
        String key = request.claim().key();
        ScriptCall call = request.claim() instanceof Claim.Permits
                ? permitKeys(scripts.releasePermits, key)
                : lockKeys(scripts.release, key);
        call.argument("token", request.token());
        request.place().ifPresent(place -> call.argument("place", place.text()));
        return call;
    }

    ScriptCall renewLocks(List<Renewals.Hold> holds) {
        ScriptCall call = scripts.renew.call();
        for (Renewals.Hold hold : holds) {
            call.key("lock", hold.key()).argument("token", hold.token()).argument("lease", hold.leaseMillis());
        }
        return call;
    }

    ScriptCall renewPermits(List<Renewals.Hold> holds) {
        ScriptCall call = scripts.renewPermits.call();
        for (Renewals.Hold hold : holds) {
            call.key("holders", hold.key()).key("state", KeyNames.permits(hold.key()));
            call.argument("token", hold.token()).argument("lease", hold.leaseMillis());
        }
        return call;
    }

    ScriptCall force(String key) {
        return lockKeys(scripts.force, key).key("state", KeyNames.permits(key)).key("waiters", KeyNames.waiters(key));
    }

    ScriptCall lookAtPermits(String key) {
        return heldPermits(scripts.lookPermits.call(), key).argument("most", Snapshots.MOST_SHOWN);
    }

    ScriptCall resize(String key, int said, int permits) {
        return permitKeys(scripts.resize, key).argument("says", said).argument("permits", permits);
    }

    private static ScriptCall lockKeys(Script script, String lock) {
        return withKeys(script.call(), lock);
    }

    private static ScriptCall permitKeys(Script script, String semaphore) {
        return heldPermits(script.call(), semaphore).key("counter", KeyNames.counter(semaphore));
    }

    private static ScriptCall heldPermits(ScriptCall call, String semaphore) {
        return call.key("holders", semaphore)
                .key("state", KeyNames.permits(semaphore))
                .key("waiters", KeyNames.waiters(semaphore));
    }

    private static ScriptCall allKeys(Script script, Claim.Locks claim) {
        ScriptCall call = script.call();
        for (String lock : claim.keys()) {
            withKeys(call, lock);
        }
        return call;
    }

    private static ScriptCall withKeys(ScriptCall call, String lock) {
        return call.key("lock", lock)
                .key("counter", KeyNames.counter(lock))
                .key("queue", KeyNames.queue(lock))
                .key("last", KeyNames.last(lock));
    }
}
