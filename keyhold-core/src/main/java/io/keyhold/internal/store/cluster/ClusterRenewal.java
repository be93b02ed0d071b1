package io.keyhold.internal.store.cluster;

import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.redis.HashSlot;
import io.keyhold.internal.store.redis.Task;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.Stages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases of several slots: one script for each slot, all at the same time. What one slot meets does not concern the others: its
 * leases are unknown, unless all slots have failed.
 *
 * <p>While a slot is being moved, a script with several keys is refused as soon as one of them is on the other node, so the leases of such a
 * slot are renewed one by one: those that have been moved there, those that have not here.
 */
final class ClusterRenewal {

    private final ClusterCalls calls;

    ClusterRenewal(ClusterCalls calls) {
        this.calls = calls;
    }

    /** The renewal of one key. Several locks that are held together are one for each. */
    private record Part(int request, RenewRequest renewal) {

        String key() {
            return renewal.claim().key();
        }
    }

    CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        Round round = new Round(requests.size());
        List<CompletableFuture<Void>> slots = new ArrayList<>();
        for (List<Part> slot : bySlot(requests)) {
            slots.add(renew(slot, mode, round));
        }
        return CompletableFuture.allOf(slots.toArray(CompletableFuture[]::new)).thenCompose(all -> round.outcome());
    }

    private static Collection<List<Part>> bySlot(List<RenewRequest> requests) {
        Map<Integer, List<Part>> slots = new LinkedHashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            for (RenewRequest each : split(requests.get(i))) {
                slots.computeIfAbsent(HashSlot.ofKey(each.claim().key()), slot -> new ArrayList<>())
                        .add(new Part(i, each));
            }
        }
        return slots.values();
    }

    private static List<RenewRequest> split(RenewRequest request) {
        return request.claim() instanceof Claim.Locks several
                ? several.keys().stream()
                        .map(key -> new RenewRequest(new Claim.Lock(key), request.token(), request.leaseMillis()))
                        .toList()
                : List.of(request);
    }

    /** Renews the leases of one slot. Never fails. */
    private CompletableFuture<Void> renew(List<Part> slot, CallMode mode, Round round) {
        List<RenewRequest> renewals = slot.stream().map(Part::renewal).toList();
        return Stages.recover(
                calls.onPrimary(
                                slot.get(0).key(),
                                mode,
                                key -> Task.on("renew", slot.get(0).renewal().claim()),
                                (store, how) -> store.renew(renewals, how))
                        .thenAccept(replies -> round.replied(slot, replies)),
                failure -> {
                    if (slot.size() > 1 && StoreFailure.isMoving(failure)) {
                        return CompletableFuture.allOf(slot.stream()
                                .map(part -> renew(List.of(part), CallMode.ASYNCHRONOUS, round))
                                .toArray(CompletableFuture[]::new));
                    }
                    round.failed(slot, failure);
                    return CompletableFuture.completedFuture(null);
                });
    }

    /** The replies to one batch. */
    private static final class Round {

        private final @Nullable HoldReply[] replies;
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private boolean anyReply;

        Round(int requests) {
            replies = new HoldReply[requests];
        }

        synchronized void replied(List<Part> slot, List<HoldReply> received) {
            anyReply = true;
            for (int i = 0; i < slot.size(); i++) {
                add(slot.get(i), received.get(i));
            }
        }

        synchronized void failed(List<Part> slot, Throwable cause) {
            failure.compareAndSet(null, cause);
            slot.forEach(part -> add(part, new HoldReply.Unknown(String.valueOf(cause.getMessage()))));
        }

        private void add(Part part, HoldReply reply) {
            HoldReply known = replies[part.request()];
            replies[part.request()] = known == null ? reply : HoldReply.ofBoth(known, reply);
        }

        /** A batch that failed altogether fails, with the reason of the first. */
        synchronized CompletionStage<List<HoldReply>> outcome() {
            Throwable cause = failure.get();
            return cause != null && !anyReply
                    ? CompletableFuture.failedFuture(cause)
                    : CompletableFuture.completedStage(Arrays.asList(replies));
        }
    }
}
