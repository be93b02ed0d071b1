package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.RenewRequest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Renewals by kind: locks and semaphores have a script each. A claim of several locks is one renewal for each key. */
final class Renewals {

    private final List<RenewRequest> requests;
    private final List<Hold> locks = new ArrayList<>();
    private final List<Hold> permits = new ArrayList<>();

    /** One key's hold. */
    record Hold(String key, String token, long leaseMillis) {}

    Renewals(List<RenewRequest> requests) {
        this.requests = requests;
        for (RenewRequest request : requests) {
            List<Hold> sort = request.claim() instanceof Claim.Permits ? permits : locks;
            request.claim().keys().forEach(key -> sort.add(new Hold(key, request.token(), request.leaseMillis())));
        }
    }

    List<Hold> locks() {
        return locks;
    }

    List<Hold> permits() {
        return permits;
    }

    /** Returns the replies to the requests, from those to the keys. Several locks are held only if each of them is. */
    List<HoldReply> merged(List<HoldReply> ofLocks, List<HoldReply> ofPermits) {
        Iterator<HoldReply> lockReplies = ofLocks.iterator();
        Iterator<HoldReply> permitReplies = ofPermits.iterator();
        List<HoldReply> merged = new ArrayList<>(requests.size());
        for (RenewRequest request : requests) {
            Iterator<HoldReply> replies = request.claim() instanceof Claim.Permits ? permitReplies : lockReplies;
            HoldReply reply = HoldReply.DONE;
            for (int i = 0; i < request.claim().keys().size(); i++) {
                reply = HoldReply.ofBoth(reply, replies.next());
            }
            merged.add(reply);
        }
        return merged;
    }
}
