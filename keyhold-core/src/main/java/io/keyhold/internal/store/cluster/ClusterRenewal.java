package io.keyhold.internal.store.cluster;

import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.Renewals;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.redis.HashSlot;
import io.keyhold.internal.store.redis.Task;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.Stages;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases of several slots: one script for each slot, all at the same time. What one slot meets does not concern the others: its
 * leases are unknown, unless all slots have failed. Only the time is shared: the replies come when the last slot has its own, so that leases of
 * several nodes should not be renewed together ({@link io.keyhold.internal.store.LockStore#renew}).
 *
 * <p>While a slot is being moved, a script with several keys is refused as soon as one of them is on the other node, so the leases of such a
 * slot are renewed one by one: those that have been moved there, those that have not here.
 */
final class ClusterRenewal {

    private final ClusterCalls calls;

    ClusterRenewal(ClusterCalls calls) {
        this.calls = calls;
    }

    CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        Round round = new Round(new Renewals(requests));
        return round.renewals
                .inGroups(part -> HashSlot.ofKey(part.key()), slot -> renew(slot, mode, round))
                .thenCompose(all -> round.outcome());
    }

    /** Renews the leases of one slot. Never fails. */
    private CompletableFuture<Void> renew(List<Renewals.Part> slot, CallMode mode, Round round) {
        List<RenewRequest> renewals = slot.stream().map(Renewals.Part::renewal).toList();
        return Stages.recover(
                calls.onPrimary(
                                slot.get(0).key(),
                                mode,
                                () -> Task.on("renew", slot.get(0).renewal().claim()),
                                (store, how) -> store.renew(renewals, how))
                        .thenAccept(replies -> round.replied(slot, replies)),
                failure -> {
                    if (slot.size() > 1 && (StoreFailure.isMoving(failure) || isOfOneKey(failure))) {
                        return CompletableFuture.allOf(slot.stream()
                                .map(part -> renew(List.of(part), CallMode.ASYNCHRONOUS, round))
                                .toArray(CompletableFuture[]::new));
                    }
                    round.failed(slot, failure);
                    return CompletableFuture.completedFuture(null);
                });
    }

    /** Whether the server may have refused all of them because of one key. */
    private static boolean isOfOneKey(Throwable failure) {
        return StoreFailure.isRefusal(failure) && !StoreFailure.isPassing(failure);
    }

    /** The replies to one batch. */
    private static final class Round {

        private final Renewals renewals;
        private @Nullable Throwable firstFailure;
        private boolean anyReply;

        Round(Renewals renewals) {
            this.renewals = renewals;
        }

        synchronized void replied(List<Renewals.Part> slot, List<HoldReply> received) {
            anyReply = true;
            renewals.replied(slot, received);
        }

        synchronized void failed(List<Renewals.Part> slot, Throwable failure) {
            firstFailure = firstFailure == null ? failure : firstFailure;
            HoldReply unknown = new HoldReply.Unknown(String.valueOf(failure.getMessage()));
            renewals.replied(slot, Collections.nCopies(slot.size(), unknown));
        }

        /** A batch that failed altogether fails, with the reason of the first. */
        synchronized CompletionStage<List<HoldReply>> outcome() {
            return firstFailure != null && !anyReply
                    ? CompletableFuture.failedFuture(firstFailure)
                    : CompletableFuture.completedStage(renewals.replies());
        }
    }
}
