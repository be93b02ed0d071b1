package io.keyhold.internal.simulation;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.PendingReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Quorums with one mutation each, by wrappers around their nodes. */
final class WrongQuorums {

    private WrongQuorums() {}

    /**
     * Takes half of an even number of nodes for a majority: it asks all nodes but one, and each client leaves out another one. Two of three
     * are a majority then, but only half of the four.
     */
    static LockStore halfIsEnough(List<NodeStore> nodes, Function<List<NodeStore>, LockStore> right, String client) {
        List<NodeStore> asked = new ArrayList<>(nodes);
        if (asked.size() % 2 == 0) {
            asked.remove(Math.floorMod(client.hashCode(), asked.size()));
        }
        return right.apply(asked);
    }

    /** Releases what it has held, but not the votes of a request that found no majority. */
    static LockStore losersKeepVotes(List<NodeStore> nodes, Function<List<NodeStore>, LockStore> right) {
        Set<String> released = new HashSet<>();
        List<NodeStore> wrong = nodes.stream()
                .<NodeStore>map(node -> new DelegatingStore(node) {
                    @Override
                    public CompletionStage<HoldReply> giveUp(
                            ReleaseRequest request, @Nullable Consumer<PendingReply> unread) {
                        return released.contains(request.token())
                                ? super.giveUp(request, unread)
                                : CompletableFuture.completedStage(HoldReply.DONE);
                    }
                })
                .toList();
        return new DelegatingStore(right.apply(wrong)) {
            @Override
            public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
                released.add(request.token());
                return super.release(request, mode);
            }
        };
    }

    /** A node that votes at once after it has lost its data. */
    static NodeStore withoutQuarantine(NodeStore right) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<VoteReply> vote(VoteRequest request, @Nullable Consumer<PendingReply> unread) {
                return super.vote(
                        new VoteRequest(
                                request.claim(),
                                request.token(),
                                request.leaseMillis(),
                                request.ifFree(),
                                request.place(),
                                request.proposal(),
                                new VoteRequest.Admission(
                                        request.admission().longestLeaseMillis(), VoteRequest.IfFresh.ADMIT)),
                        unread);
            }
        };
    }

    /** A node that confirms the second round, and raises no counter. */
    static NodeStore withoutRaise(NodeStore right) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<Boolean> raise(Claim claim, String token, long number) {
                return CompletableFuture.completedStage(true);
            }
        };
    }

    /** The token of the second round is above the smallest number of the first, and not above the largest. */
    static LockStore aboveTheSmallest(List<NodeStore> nodes, Function<List<NodeStore>, LockStore> right) {
        Map<String, Long> smallest = new HashMap<>();
        Map<String, Long> raised = new HashMap<>();
        List<NodeStore> wrong = nodes.stream()
                .<NodeStore>map(node -> new DelegatingStore(node) {
                    @Override
                    public CompletionStage<VoteReply> vote(
                            VoteRequest request, @Nullable Consumer<PendingReply> unread) {
                        return super.vote(request, unread).thenApply(reply -> {
                            if (reply instanceof VoteReply.Granted granted) {
                                smallest.merge(request.token(), granted.number(), Math::min);
                            }
                            return reply;
                        });
                    }

                    @Override
                    public CompletionStage<Boolean> raise(Claim claim, String token, long number) {
                        long wrong = raised.computeIfAbsent(
                                token, first -> smallest.getOrDefault(token, 0L) + LockValue.STRIDE);
                        return super.raise(claim, token, wrong);
                    }
                })
                .toList();
        return new DelegatingStore(right.apply(wrong)) {
            @Override
            public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
                return super.acquire(request, mode, sending)
                        .thenApply(reply -> reply instanceof AcquireReply.Granted && raised.containsKey(request.token())
                                ? new AcquireReply.Granted(raised.getOrDefault(request.token(), 0L))
                                : reply);
            }
        };
    }
}
