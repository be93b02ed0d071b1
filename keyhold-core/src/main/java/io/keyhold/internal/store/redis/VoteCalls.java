package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes script calls of the requests of a quorum to a node, and reads their replies. */
final class VoteCalls {

    private static final long BUSY = 0;
    private static final long GRANTED = 1;
    private static final long ABSTAINED = 2;
    private static final String REMEMBERS = "!";
    private static final String REMEMBERS_NOTHING = "?";

    private VoteCalls() {}

    /** {@code durable} says that the server loses nothing that it has replied to. */
    static ScriptCall vote(VoteRequest request, boolean durable) {
        ScriptCall call = new ScriptCall(Script.VOTE).key("incarnation", KeyNames.INCARNATION);
        for (String lock : request.claim().keys()) {
            KeyNames names = KeyNames.of(lock);
            call.key("lock", lock).key("counter", names.counter()).key("queue", names.queue());
        }
        call.argument("token", request.token())
                .argument("lease", request.leaseMillis())
                .argument("how", request.ifFree() == AcquireRequest.IfFree.LEAVE ? "leave" : "take")
                .argument("proposal", request.proposal())
                .argument("longest", request.admission().longestLeaseMillis())
                .argument("admits", admits(request.admission(), durable))
                .argument("place", request.place().map(QueuePlace::text).orElse(""));
        if (request.claim() instanceof Claim.Locks locks) {
            locks.parts().forEach(part -> call.argument("part", part));
        }
        return call;
    }

    private static String admits(VoteRequest.Admission admission, boolean durable) {
        if (durable) {
            return REMEMBERS;
        }
        return admission.ifFresh() == VoteRequest.IfFresh.ADMIT ? REMEMBERS_NOTHING : "";
    }

    static ScriptCall admit(VoteRequest.Admission admission, boolean durable) {
        return new ScriptCall(Script.ADMIT)
                .key("incarnation", KeyNames.INCARNATION)
                .argument("longest", admission.longestLeaseMillis())
                .argument("admits", admits(admission, durable));
    }

    static long quarantineMillis(@Nullable Object reply) {
        List<?> parts = Replies.list(reply);
        return Replies.number(parts.get(0)) == ABSTAINED ? Replies.number(parts.get(1)) : 0;
    }

    /** Whether the node is quarantined although it remembers an earlier incarnation. */
    static boolean isRemembering(@Nullable Object reply) {
        List<?> parts = Replies.list(reply);
        return Replies.number(parts.get(0)) == ABSTAINED && REMEMBERS.equals(parts.get(2));
    }

    static VoteReply vote(@Nullable Object reply) {
        List<?> parts = Replies.list(reply);
        long kind = Replies.number(parts.get(0));
        if (kind == GRANTED) {
            return new VoteReply.Granted(Long.parseLong(Replies.text(parts.get(1))), Replies.text(parts.get(2)));
        }
        return kind == BUSY
                ? new VoteReply.Busy(
                        Replies.optionalText(parts.get(1)),
                        Replies.remaining(Replies.number(parts.get(2))),
                        Replies.text(parts.get(3)))
                : new VoteReply.Abstained(Replies.number(parts.get(1)), Replies.text(parts.get(3)));
    }

    static ScriptCall raise(Claim claim, String token, long number) {
        ScriptCall call = new ScriptCall(Script.RAISE);
        for (String lock : claim.keys()) {
            call.key("lock", lock).key("counter", KeyNames.of(lock).counter());
        }
        return call.argument("token", token).argument("number", number);
    }

    static ScriptCall giveUp(ReleaseRequest request) {
        if (request.rests()) {
            return ScriptCalls.restLocks(request);
        }
        ScriptCall call = new ScriptCall(Script.GIVE_UP);
        for (String lock : request.claim().keys()) {
            call.key("lock", lock).key("queue", KeyNames.of(lock).queue());
        }
        call.argument("token", request.token());
        request.place().ifPresent(place -> call.argument("place", place.text()));
        return call;
    }
}
