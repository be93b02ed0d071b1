package io.keyhold.internal.store.redis;

import io.keyhold.internal.TokenText;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.Snapshots;
import java.util.List;
import java.util.Locale;

/** Puts requests into calls of the scripts: which script, which keys, which arguments. */
final class ScriptCalls {

    private ScriptCalls() {}

    static ScriptCall acquire(AcquireRequest request) {
        if (request.claim() instanceof Claim.Permits claim) {
            return acquirePermits(claim, request);
        }
        if (request.claim() instanceof Claim.Locks claim) {
            return acquireAll(claim, request);
        }
        ScriptCall call = lockKeys(Script.ACQUIRE, request.claim())
                .argument("token", request.token())
                .argument("lease", request.leaseMillis());
        if (request.ifFree() == AcquireRequest.IfFree.LEAVE) {
            call.argument("how", "leave");
        } else if (request.ifBusy().place().isPresent()) {
            call.argument("how", how(request)).argument("place", place(request));
        }
        return call;
    }

    private static ScriptCall acquirePermits(Claim.Permits claim, AcquireRequest request) {
        ScriptCall call = permitKeys(Script.ACQUIRE_PERMITS, claim.key())
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

    private static ScriptCall acquireAll(Claim.Locks claim, AcquireRequest request) {
        ScriptCall call = lockKeys(Script.ACQUIRE_ALL, claim)
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
        return ifBusy.detail() == AcquireRequest.Detail.FULL ? "join" : "join briefly";
    }

    private static String place(AcquireRequest request) {
        return request.ifBusy().place().map(QueuePlace::text).orElse("");
    }

    static ScriptCall release(ReleaseRequest request) {
        if (request.rests()) {
            return request.claim() instanceof Claim.Permits claim
                    ? resting(permitKeys(Script.REST_PERMITS, claim.key()), request)
                    : restLocks(request);
        }
        if (request.claim() instanceof Claim.Locks claim) {
            return lockKeys(Script.RELEASE_ALL, claim).argument("token", request.token());
        }
        ScriptCall call = request.claim() instanceof Claim.Permits claim
                ? permitKeys(Script.RELEASE_PERMITS, claim.key()).argument("token", request.token())
                : lockKeys(Script.RELEASE, request.claim()).argument("held", held(request));
        if (request.channel().isPresent() || request.place().isPresent()) {
            call.argument("ownChannel", request.channel().orElse(""));
        }
        request.place().ifPresent(place -> call.argument("place", place.text()));
        return call;
    }

    private static String held(ReleaseRequest request) {
        return request.token() + ' ' + request.fencingToken() + ' ' + request.fencingToken();
    }

    /** Also on a node of a quorum: a lock at rest is handed over to no waiter anyway. */
    static ScriptCall restLocks(ReleaseRequest request) {
        ScriptCall call = new ScriptCall(Script.REST);
        for (String lock : request.claim().keys()) {
            KeyNames names = KeyNames.of(lock);
            call.key("lock", lock).key("queue", names.queue()).key("last", names.last());
        }
        return resting(call, request);
    }

    private static ScriptCall resting(ScriptCall call, ReleaseRequest request) {
        call.argument("token", request.token())
                .argument("resting", TokenText.resting(request.token()))
                .argument("rest", request.restMillis());
        request.place().ifPresent(place -> call.argument("place", place.text()));
        return call;
    }

    /** For holds of one key each, all of them locks, or all of them of permits. */
    static ScriptCall renew(List<RenewRequest> holds) {
        boolean ofPermits = holds.get(0).claim() instanceof Claim.Permits;
        ScriptCall call = new ScriptCall(ofPermits ? Script.RENEW_PERMITS : Script.RENEW);
        for (RenewRequest hold : holds) {
            String key = hold.claim().key();
            if (ofPermits) {
                call.key("holders", key).key("state", KeyNames.of(key).permits());
            } else {
                call.key("lock", key);
            }
        }
        holds.forEach(hold -> call.argument("token", hold.token()));
        long first = holds.get(0).leaseMillis();
        if (holds.stream().allMatch(hold -> hold.leaseMillis() == first)) {
            return call.argument("lease", first); // Nearly always, and a third less to send.
        }
        holds.forEach(hold -> call.argument("lease", hold.leaseMillis()));
        return call;
    }

    static ScriptCall force(String key) {
        KeyNames names = KeyNames.of(key);
        return lockKeys(Script.FORCE, new Claim.Lock(key))
                .key("state", names.permits())
                .key("waiters", names.waiters());
    }

    static ScriptCall lookAtPermits(String key) {
        return heldPermits(new ScriptCall(Script.LOOK_PERMITS), key).argument("most", Snapshots.MOST_SHOWN);
    }

    static ScriptCall resize(String key, int said, int permits) {
        return permitKeys(Script.RESIZE, key).argument("says", said).argument("permits", permits);
    }

    private static ScriptCall lockKeys(Script script, Claim claim) {
        ScriptCall call = new ScriptCall(script);
        for (String lock : claim.keys()) {
            KeyNames names = KeyNames.of(lock);
            call.key("lock", lock)
                    .key("counter", names.counter())
                    .key("queue", names.queue())
                    .key("last", names.last());
        }
        return call;
    }

    private static ScriptCall permitKeys(Script script, String semaphore) {
        return heldPermits(new ScriptCall(script), semaphore)
                .key("counter", KeyNames.of(semaphore).counter());
    }

    private static ScriptCall heldPermits(ScriptCall call, String semaphore) {
        KeyNames names = KeyNames.of(semaphore);
        return call.key("holders", semaphore).key("state", names.permits()).key("waiters", names.waiters());
    }
}
